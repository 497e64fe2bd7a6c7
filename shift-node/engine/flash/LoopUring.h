#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "common/FileDescriptor.h"
#include "common/Result.h"
#include "net/EventLoop.h"
#include "shift-node/engine/flash/Uring.h"

namespace shift::node {

/** Requests of a device that are started on a loop's thread and not answered yet, over all loops. It outlives
 * the device and the loops, whichever ends first. */
using UnderWayOnLoops = std::shared_ptr<std::atomic<std::size_t>>;

/**
 * A device's ring on one event loop: what is started on the loop's thread is carried out without any other
 * thread and answered on it. All on the loop's thread.
 */
class LoopUring final : public net::EventHandler {
 public:
  static Result<std::unique_ptr<LoopUring>> open(net::EventLoop& loop, int descriptor,
                                                 const Uring::Limits& limits, UnderWayOnLoops underWay);
  /** Returns when everything is answered. */
  ~LoopUring() override;

  void start(std::vector<IoRequest> requests);

  void onEvents(std::uint32_t events) override;

 private:
  LoopUring(net::EventLoop& loop, int descriptor, const Uring::Limits& limits, UnderWayOnLoops underWay)
      : loop_(loop), ring_(descriptor, limits), underWay_(std::move(underWay)) {}

  void answer();

  net::EventLoop& loop_;
  Uring ring_;
  FileDescriptor completed_;  // an eventfd
  const UnderWayOnLoops underWay_;
  bool isAnswering_ = false;
};

}  // namespace shift::node
