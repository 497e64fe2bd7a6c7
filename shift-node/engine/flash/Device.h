#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/Result.h"

namespace shift::node {

/** The unit of everything on flash: places, lengths and buffers are multiples of it. */
inline constexpr std::uint32_t kUnitBytes = 4096;

enum class IoKind { kRead, kWrite };

/** One piece of I/O. The memory belongs to the caller and must stay until `done` was called. */
struct IoRequest {
  IoKind kind = IoKind::kRead;
  std::uint64_t offset = 0;
  std::byte* data = nullptr;  // a write only reads it
  std::uint32_t length = 0;
  /** Called exactly once, on any thread, possibly before submit() returns: 0, or an errno. A transfer that
   * came short is EIO: there is no half success. */
  std::function<void(int error)> done;
};

/**
 * A flat range of durable bytes with asynchronous reads and writes: a file, a block device, or a test's fake.
 * Requests under way at the same time may be carried out in any order. What a write has put on the device
 * survives the process at once and a power loss after sync(). All methods may be called from any thread.
 *
 * The destructor of a subclass returns when every request has been answered.
 */
class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /** Starts all requests, together where the device can. One that is unaligned or out of range is answered
   * with EINVAL and never reaches the device. */
  void submit(std::vector<IoRequest> requests);

  /** Blocking forms, for what happens at start and in the background. */
  Status read(std::uint64_t offset, std::span<std::byte> into);
  Status write(std::uint64_t offset, std::span<const std::byte> from);

  /** Returns when all writes answered so far would survive a power loss. */
  Status sync() { return doSync(); }

  /** For the log: "io_uring, registered buffers". */
  virtual std::string describe() const = 0;

 protected:
  Device(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}

 private:
  /** Gets only requests that are aligned and in range. */
  virtual void start(std::vector<IoRequest> requests) = 0;
  virtual Status doSync() = 0;

  bool isSound(const IoRequest& request) const;
  Status runAndWait(IoKind kind, std::uint64_t offset, std::byte* data, std::size_t length);

  const std::string name_;
  const std::uint64_t size_;
};

}  // namespace shift::node
