#pragma once

#include <liburing.h>

#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "common/FileDescriptor.h"
#include "shift-node/engine/flash/Device.h"
#include "shift-node/engine/flash/FlashFile.h"

namespace shift::node {

/**
 * A file driven by one io_uring. A thread of its own is the only one to touch the ring: it takes whatever
 * requests have gathered, hands them to the kernel with one system call, and answers what has completed.
 * Submitters only append to a queue, so they never wait for the kernel. Transfers to and from the memory
 * handed in at the start use registered buffers, where the kernel allows that much locked memory.
 */
class UringDevice final : public Device {
 public:
  /** Fails, with the reason, where the kernel forbids io_uring; the file is then handed back untouched. */
  static Result<std::unique_ptr<UringDevice>> open(FlashFile& file, unsigned queueDepth,
                                                   std::span<std::byte> memory);
  ~UringDevice() override;

  std::string describe() const override;

 private:
  struct Registered {
    std::byte* begin = nullptr;
    std::byte* end = nullptr;
  };

  UringDevice(FlashFile file, unsigned queueDepth);

  void start(std::vector<IoRequest> requests) override;
  Status doSync() override { return file_.sync(); }

  // All below run on the ring's thread.
  int setUp(std::span<std::byte> memory);
  void registerMemory(std::span<std::byte> memory);
  void run();
  /** Takes what was queued; if that was nothing, the next one queued wakes the thread. */
  void takeQueued(bool isGoingToSleep);
  void prepareWaiting();
  void answer();
  void prepare(IoRequest* request);
  void armWake();
  void reap();

  FlashFile file_;
  const unsigned queueDepth_;
  FileDescriptor wake_;  // an eventfd, read through the ring
  std::uint64_t wakeValue_ = 0;
  io_uring ring_{};
  std::vector<Registered> registered_;
  std::deque<IoRequest*> waiting_;  // taken from the queue, not yet in the ring
  std::vector<std::pair<IoRequest*, int>> completed_;
  unsigned inFlight_ = 0;

  std::mutex mutex_;
  std::vector<IoRequest*> queue_;
  bool isAsleep_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace shift::node
