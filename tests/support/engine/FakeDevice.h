#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "shift-node/engine/flash/Device.h"

namespace shift::test {

/** What a device did, in order. */
struct DeviceEvent {
  std::uint64_t offset = 0;
  std::vector<std::byte> bytes;  // empty: a sync
  bool isSync() const { return bytes.empty(); }
};

/** The bytes of a fake device. They outlive it, as flash outlives a process. */
struct DeviceImage {
  explicit DeviceImage(std::size_t size) : bytes(size) {}

  std::mutex mutex;
  std::vector<std::byte> bytes;
  bool isRecording = false;
  std::vector<DeviceEvent> events;
};

/** A device in memory: answers before submit() returns, in order, without fail. */
class FakeDevice final : public node::Device {
 public:
  explicit FakeDevice(std::shared_ptr<DeviceImage> image)
      : Device("fake", image->bytes.size()), image_(std::move(image)) {}

  std::string describe() const override { return "a fake"; }

 private:
  void start(std::vector<node::IoRequest> requests) override;
  Status doSync() override;

  const std::shared_ptr<DeviceImage> image_;
};

/**
 * A huge device in little memory: a unit whose 8-byte words are all the same is kept as one word. For tests
 * of scale, which write such units.
 */
class PatternDevice final : public node::Device {
 public:
  struct Image {
    explicit Image(std::uint64_t size) : words(size / node::kUnitBytes) {}
    std::vector<std::uint64_t> words;
    std::unordered_map<std::uint64_t, std::vector<std::byte>> others;  // units that are not like that
  };

  explicit PatternDevice(std::shared_ptr<Image> image)
      : Device("pattern", image->words.size() * node::kUnitBytes), image_(std::move(image)) {}

  std::string describe() const override { return "a fake that keeps patterns"; }

 private:
  void start(std::vector<node::IoRequest> requests) override;
  Status doSync() override { return {}; }
  void readUnit(std::uint64_t unit, std::byte* into) const;
  void writeUnit(std::uint64_t unit, const std::byte* from);

  std::mutex mutex_;
  const std::shared_ptr<Image> image_;
};

}  // namespace shift::test
