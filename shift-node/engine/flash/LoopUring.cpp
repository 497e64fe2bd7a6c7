#include "shift-node/engine/flash/LoopUring.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <cerrno>

namespace shift::node {

Result<std::unique_ptr<LoopUring>> LoopUring::open(net::EventLoop& loop, int descriptor,
                                                   const Uring::Limits& limits, UnderWayOnLoops underWay) {
  std::unique_ptr<LoopUring> ring(new LoopUring(loop, descriptor, limits, std::move(underWay)));
  if (const int error = ring->ring_.open(); error != 0) {
    return Error::fromErrno(error, "setting up io_uring");
  }
  FileDescriptor completed(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!completed.valid()) {
    return Error::fromErrno(errno, "making an eventfd");
  }
  if (const int error = ring->ring_.signalTo(completed.get()); error != 0) {
    return Error::fromErrno(error, "registering an eventfd with io_uring");
  }
  // Edge-triggered: each write counts, so that it need not be read.
  loop.add(completed.get(), EPOLLIN | EPOLLET, *ring);
  ring->completed_ = std::move(completed);
  return ring;
}

LoopUring::~LoopUring() {
  if (completed_.valid()) {
    loop_.remove(completed_.get());
  }
  while (!ring_.isIdle()) {
    ring_.submitAndWait();
    answer();
  }
}

void LoopUring::start(std::vector<IoRequest> requests) {
  underWay_->fetch_add(requests.size());
  for (IoRequest& request : requests) {
    ring_.add(std::move(request));
  }
  if (!isAnswering_) {  // else they go before the next answer, or after the last
    ring_.submit();
  }
}

void LoopUring::onEvents(std::uint32_t) {
  ring_.poll();
  answer();
  ring_.submit();
}

void LoopUring::answer() {
  isAnswering_ = true;
  const std::size_t answered = ring_.answer([] {});
  isAnswering_ = false;
  if (answered > 0 && underWay_->fetch_sub(answered) == answered) {
    underWay_->notify_all();
  }
}

}  // namespace shift::node
