#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "common/FileDescriptor.h"
#include "shift-node/engine/flash/Device.h"
#include "shift-node/engine/flash/FlashFile.h"
#include "shift-node/engine/flash/LoopUring.h"
#include "shift-node/engine/flash/Uring.h"

namespace shift::node {

/**
 * A file driven by io_uring. What is started on an event loop's thread goes through a ring of that loop, made
 * with its first request, and is answered on that thread: a server's reads need no other. All else goes
 * through a ring with a thread of its own: it takes whatever requests have gathered, hands them to the kernel
 * with one system call, and answers what has completed; those who start them only append to a queue, so they
 * never wait for the kernel. That ring uses registered buffers for transfers to and from the memory handed in
 * at the start, where the kernel allows that much locked memory.
 *
 * Must not be destroyed on the thread of a loop whose requests are under way.
 */
class UringDevice final : public Device {
 public:
  /** Fails, with the reason, where the kernel forbids io_uring; the file is then handed back untouched. */
  static Result<std::unique_ptr<UringDevice>> open(FlashFile& file, unsigned queueDepth,
                                                   std::span<std::byte> memory);
  ~UringDevice() override;

  std::string describe() const override;

 private:
  UringDevice(FlashFile file, unsigned queueDepth);

  void start(std::vector<IoRequest> requests) override;
  Status doSync() override { return file_.sync(); }

  /** Null if this is no loop's thread, or the kernel has no more rings to give. */
  LoopUring* ringOfThisLoop();

  // All below run on the own ring's thread.
  int setUp(std::span<std::byte> memory);
  void run();
  /** Takes what was queued; if the thread is going to sleep, the next one queued wakes it. */
  void takeQueued(bool isGoingToSleep);

  FlashFile file_;
  const unsigned queueDepth_;
  const std::uint64_t number_;  // no other device of this process has had it
  const UnderWayOnLoops onLoops_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::atomic<bool> hasRingsForLoops_ = true;

  FileDescriptor wake_;  // an eventfd
  Uring ring_;
  bool isRegistered_ = false;
  std::mutex mutex_;
  std::vector<IoRequest> queue_;
  bool isAsleep_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace shift::node
