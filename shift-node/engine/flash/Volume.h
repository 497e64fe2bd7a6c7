#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "common/Clock.h"
#include "common/Result.h"
#include "shift-node/engine/ExtentAllocator.h"
#include "shift-node/engine/flash/Device.h"
#include "shift-node/engine/flash/FlashEngineConfig.h"
#include "shift-node/engine/flash/Journal.h"

namespace shift::node {

inline std::uint32_t unitsFor(std::uint32_t bytes) {
  return (bytes + kUnitBytes - 1) / kUnitBytes;
}

/**
 * One device as the engine uses it: superblock, journal, the units for data, and whether the device is still
 * to be trusted. Thread-safe.
 *
 *   unit 0, 1    superblock, twice
 *   then         journal
 *   then         data, addressed from 0 in units
 */
class Volume {
 public:
  /** Finds the cache that the device holds or, if there is none, or one of another shape, makes an empty one
   * and says so in the log. `number` names the volume in index entries. */
  static Result<std::unique_ptr<Volume>> open(std::unique_ptr<Device> device, std::uint32_t number,
                                              const FlashEngineConfig& config);
  /** Returns when the device has answered every request. */
  ~Volume() { device_.reset(); }

  std::uint32_t number() const { return number_; }
  Device& device() { return *device_; }
  Journal& journal() { return *journal_; }
  ExtentAllocator& units() { return units_; }
  std::uint64_t offsetOf(std::uint32_t unit) const { return dataStart_ + std::uint64_t{unit} * kUnitBytes; }
  std::uint64_t dataBytes() const { return std::uint64_t{dataUnits_} * kUnitBytes; }

  /** Whether a segment of that many units can be added without evicting one. */
  bool hasRoom(std::uint32_t units) const;
  /** Free units, for choosing among volumes; 0 if the index of this one is full. */
  std::uint32_t roomUnits() const;
  void countSegments(std::int64_t change) { segments_.fetch_add(change, std::memory_order_relaxed); }

  bool isInUse() const { return inUse_.load(std::memory_order_relaxed); }
  void noteSuccess() { errorsInARow_.store(0, std::memory_order_relaxed); }
  /** True for the one error that was one too many: the volume is then out of use. */
  bool noteError();

  /** Watches a request: `expire` is called if it is not unwatched before it is overdue. */
  std::uint64_t watch(TimePoint started, std::function<void()> expire);
  void unwatch(std::uint64_t watched);
  /** Calls the expire function of everything that started before `limit`, each at most once. How many. */
  std::size_t expireBefore(TimePoint limit);

 private:
  struct Watched {
    TimePoint started;
    std::function<void()> expire;
  };

  Volume(std::unique_ptr<Device> device, std::uint32_t number, const Superblock& superblock,
         const FlashEngineConfig& config);

  const std::uint32_t number_;
  std::unique_ptr<Device> device_;
  const std::uint64_t dataStart_;
  const std::uint32_t dataUnits_;
  const std::uint32_t spareUnits_;
  const std::int64_t maxSegments_;
  const std::uint32_t errorsUntilOut_;
  ExtentAllocator units_;
  std::unique_ptr<Journal> journal_;
  std::atomic<std::int64_t> segments_{0};
  std::atomic<std::uint32_t> errorsInARow_{0};
  std::atomic<bool> inUse_{true};

  mutable std::mutex watchMutex_;
  std::uint64_t nextWatch_ = 1;
  std::map<std::uint64_t, Watched> watched_;  // oldest first
};

}  // namespace shift::node
