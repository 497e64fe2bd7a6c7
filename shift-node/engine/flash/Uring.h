#pragma once

#include <liburing.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "shift-node/engine/flash/Device.h"

namespace shift::node {

/**
 * One io_uring over one file. Requests wait here until there is room for them, go to the kernel in the order
 * in which they came, and are answered by answer(). Everything happens on one thread, the one that opened it.
 */
class Uring {
 public:
  /** What the kernel has at the same time at most. A request that is larger goes alone. */
  struct Limits {
    unsigned requests = 1;
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  };

  Uring(int descriptor, const Limits& limits) : descriptor_(descriptor), limits_(limits) {}
  /** Nothing may be under way. */
  ~Uring();
  Uring(const Uring&) = delete;
  Uring& operator=(const Uring&) = delete;

  /** First of all: 0, or an errno. */
  int open();
  /** Transfers to and from this memory use registered buffers from now on, where the kernel allows that much
   * locked memory; false if it does not. */
  bool registerMemory(std::span<std::byte> memory);
  /** An eventfd ends wait() when it is written. */
  void wakeBy(int eventfd);
  /** An eventfd is written when something has completed: 0, or an errno. */
  int signalTo(int eventfd);

  void add(IoRequest request);
  bool isIdle() const { return waiting_.empty() && inFlight_ == 0; }

  /** Gives the kernel what there is room for. */
  void submit();
  /** The same, and waits until something has completed or the eventfd was written. */
  void submitAndWait();
  /** Takes what has completed meanwhile, without waiting. */
  void poll();

  /** Answers what has completed. An answer may take a while: a read is verified in it. So the kernel gets its
   * next requests before each; `refill`, which is called after each, may add some. Those after the last wait
   * for submit() or submitAndWait(). The number of answers. */
  std::size_t answer(const std::function<void()>& refill);

 private:
  struct Registered {
    std::byte* begin = nullptr;
    std::byte* end = nullptr;
  };

  bool hasRoomFor(const IoRequest& request) const;
  void prepareWaiting();
  void prepare(IoRequest* request);
  void armWake();
  void reap();

  const int descriptor_;
  const Limits limits_;
  io_uring ring_{};
  bool isOpen_ = false;
  std::vector<Registered> registered_;
  int wake_ = -1;
  std::uint64_t wakeValue_ = 0;
  std::deque<IoRequest*> waiting_;
  std::vector<std::pair<IoRequest*, int>> completed_;
  unsigned inFlight_ = 0;
  std::uint64_t bytesInFlight_ = 0;
};

}  // namespace shift::node
