#include "shift-node/engine/flash/UringDevice.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <future>
#include <utility>

#include "common/ByteSize.h"
#include "common/Log.h"

namespace shift::node {
namespace {

/**
 * What a loop has under way on the device at the same time: enough for any SSD, as a node has a loop for each
 * core, and no more, since the rest waits where it costs nothing. A device may tell of what it has done only
 * when its queue is empty, as virtual ones do: given everything at once, it would work while the processor
 * waits, and then wait while the processor sends.
 */
constexpr std::uint64_t kLoopBytes = kMiB;

std::uint64_t nextNumber() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

Result<std::unique_ptr<UringDevice>> UringDevice::open(FlashFile& file, unsigned queueDepth,
                                                       std::span<std::byte> memory) {
  FileDescriptor wake(::eventfd(0, EFD_CLOEXEC));
  if (!wake.valid()) {
    return Error::fromErrno(errno, "making an eventfd");
  }
  std::unique_ptr<UringDevice> device(new UringDevice(std::move(file), queueDepth));
  device->wake_ = std::move(wake);
  std::promise<int> ready;
  device->thread_ = std::thread([raw = device.get(), memory, &ready] {
    const int error = raw->setUp(memory);
    ready.set_value(error);
    if (error == 0) {
      raw->run();
    }
  });
  if (const int error = ready.get_future().get(); error != 0) {
    device->thread_.join();
    file = std::move(device->file_);
    return Error::fromErrno(error, "setting up io_uring");
  }
  return device;
}

UringDevice::UringDevice(FlashFile file, unsigned queueDepth)
    : Device(file.path(), file.size()),
      file_(std::move(file)),
      queueDepth_(queueDepth),
      number_(nextNumber()),
      ring_(file_.descriptor(), {.requests = queueDepth}) {}

UringDevice::~UringDevice() {
  for (std::size_t left = onLoops_->load(); left != 0; left = onLoops_->load()) {
    onLoops_->wait(left);
  }
  if (!thread_.joinable()) {
    return;
  }
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  ::eventfd_write(wake_.get(), 1);
  thread_.join();
}

std::string UringDevice::describe() const {
  return std::string("io_uring, ") + (isRegistered_ ? "registered" : "plain") + " buffers" +
         (file_.isDirect() ? "" : ", through the page cache");
}

void UringDevice::start(std::vector<IoRequest> requests) {
  if (LoopUring* const ring = ringOfThisLoop()) {
    return ring->start(std::move(requests));
  }
  bool wasAsleep = false;
  {
    std::lock_guard lock(mutex_);
    wasAsleep = std::exchange(isAsleep_, false);
    queue_.insert(queue_.end(), std::make_move_iterator(requests.begin()),
                  std::make_move_iterator(requests.end()));
  }
  if (wasAsleep) {
    ::eventfd_write(wake_.get(), 1);
  }
}

LoopUring* UringDevice::ringOfThisLoop() {
  net::EventLoop* const loop = net::EventLoop::current();
  if (loop == nullptr || !hasRingsForLoops_) {
    return nullptr;
  }
  if (net::EventHandler* const kept = loop->kept(number_)) {
    return static_cast<LoopUring*>(kept);
  }
  Result<std::unique_ptr<LoopUring>> ring =
      LoopUring::open(*loop, file_.descriptor(), {.requests = queueDepth_, .bytes = kLoopBytes}, onLoops_);
  if (!ring) {
    hasRingsForLoops_ = false;
    logWarning(name() + ": one io_uring for all threads, not one for each: " + ring.error().message);
    return nullptr;
  }
  LoopUring* const made = ring->get();
  loop->keep(number_, *std::move(ring));
  return made;
}

int UringDevice::setUp(std::span<std::byte> memory) {
  if (const int error = ring_.open(); error != 0) {
    return error;
  }
  isRegistered_ = ring_.registerMemory(memory);
  ring_.wakeBy(wake_.get());
  return 0;
}

void UringDevice::run() {
  while (true) {
    takeQueued(true);
    {
      std::lock_guard lock(mutex_);
      if (stopping_ && queue_.empty() && ring_.isIdle()) {
        return;
      }
    }
    ring_.submitAndWait();
    ring_.answer([this] { takeQueued(false); });
  }
}

void UringDevice::takeQueued(bool isGoingToSleep) {
  std::lock_guard lock(mutex_);
  for (IoRequest& request : queue_) {
    ring_.add(std::move(request));
  }
  queue_.clear();
  isAsleep_ = isGoingToSleep;
}

}  // namespace shift::node
