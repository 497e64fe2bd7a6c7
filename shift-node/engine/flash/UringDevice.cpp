#include "shift-node/engine/flash/UringDevice.h"

#include <sys/eventfd.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <future>
#include <utility>

#include "common/ByteSize.h"
#include "common/Log.h"

namespace shift::node {
namespace {

/** The kernel takes at most this much in one registered buffer. */
constexpr std::size_t kLargestRegistered = kGiB;

/** The thread asks for completions itself, so the kernel need not interrupt it. Older kernels know less. */
constexpr unsigned kFlagChoices[] = {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
                                     IORING_SETUP_COOP_TASKRUN, 0};

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
    : Device(file.path(), file.size()), file_(std::move(file)), queueDepth_(queueDepth) {}

UringDevice::~UringDevice() {
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
  return std::string("io_uring, ") + (registered_.empty() ? "plain" : "registered") + " buffers" +
         (file_.isDirect() ? "" : ", through the page cache");
}

void UringDevice::start(std::vector<IoRequest> requests) {
  std::vector<IoRequest*> owned;
  owned.reserve(requests.size());
  for (IoRequest& request : requests) {
    owned.push_back(new IoRequest(std::move(request)));
  }
  bool wasAsleep = false;
  {
    std::lock_guard lock(mutex_);
    wasAsleep = std::exchange(isAsleep_, false);
    queue_.insert(queue_.end(), owned.begin(), owned.end());
  }
  if (wasAsleep) {
    ::eventfd_write(wake_.get(), 1);
  }
}

int UringDevice::setUp(std::span<std::byte> memory) {
  int error = 0;
  for (const unsigned flags : kFlagChoices) {
    // One entry more than requests: the wake-up read is always in the ring.
    error = -io_uring_queue_init(queueDepth_ + 1, &ring_, flags);
    if (error != EINVAL) {
      break;
    }
  }
  if (error != 0) {
    return error;
  }
  registerMemory(memory);
  armWake();
  return 0;
}

void UringDevice::registerMemory(std::span<std::byte> memory) {
  std::vector<iovec> parts;
  for (std::size_t at = 0; at < memory.size(); at += kLargestRegistered) {
    parts.push_back({memory.data() + at, std::min(kLargestRegistered, memory.size() - at)});
  }
  if (parts.empty()) {
    return;
  }
  const int result = io_uring_register_buffers(&ring_, parts.data(), static_cast<unsigned>(parts.size()));
  if (result != 0) {
    logWarning(Error::fromErrno(-result, "registering " + formatByteSize(static_cast<double>(memory.size())) +
                                             " with io_uring (raise the locked-memory limit)")
                   .message);
    return;
  }
  for (const iovec& part : parts) {
    auto* const begin = static_cast<std::byte*>(part.iov_base);
    registered_.push_back({begin, begin + part.iov_len});
  }
}

void UringDevice::run() {
  while (true) {
    takeQueued(true);
    prepareWaiting();
    {
      std::lock_guard lock(mutex_);
      if (stopping_ && queue_.empty() && waiting_.empty() && inFlight_ == 0) {
        break;
      }
    }
    io_uring_submit_and_wait(&ring_, 1);
    reap();
    answer();
  }
  io_uring_queue_exit(&ring_);
}

void UringDevice::takeQueued(bool isGoingToSleep) {
  std::lock_guard lock(mutex_);
  waiting_.insert(waiting_.end(), queue_.begin(), queue_.end());
  isAsleep_ = isGoingToSleep;
  queue_.clear();
}

void UringDevice::prepareWaiting() {
  while (!waiting_.empty() && inFlight_ < queueDepth_) {
    prepare(waiting_.front());
    waiting_.pop_front();
    ++inFlight_;
  }
}

/** An answer may take a while: a read is verified in it. The device gets its next requests in between; those
 * after the last go with the call that waits. */
void UringDevice::answer() {
  for (const auto& [request, error] : completed_) {
    if (io_uring_sq_ready(&ring_) > 0) {
      io_uring_submit(&ring_);
    }
    request->done(error);
    delete request;
    takeQueued(false);
    prepareWaiting();
  }
  completed_.clear();
}

void UringDevice::prepare(IoRequest* request) {
  io_uring_sqe* const entry = io_uring_get_sqe(&ring_);  // never null: inFlight_ is bounded by the ring
  const auto home = std::find_if(registered_.begin(), registered_.end(), [&](const Registered& part) {
    return request->data >= part.begin && request->data + request->length <= part.end;
  });
  const int fd = file_.descriptor();
  const bool isRead = request->kind == IoKind::kRead;
  if (home != registered_.end()) {
    const int index = static_cast<int>(home - registered_.begin());
    isRead ? io_uring_prep_read_fixed(entry, fd, request->data, request->length, request->offset, index)
           : io_uring_prep_write_fixed(entry, fd, request->data, request->length, request->offset, index);
  } else {
    isRead ? io_uring_prep_read(entry, fd, request->data, request->length, request->offset)
           : io_uring_prep_write(entry, fd, request->data, request->length, request->offset);
  }
  io_uring_sqe_set_data(entry, request);
}

void UringDevice::armWake() {
  io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
  io_uring_prep_read(entry, wake_.get(), &wakeValue_, sizeof wakeValue_, 0);
  io_uring_sqe_set_data(entry, nullptr);
}

void UringDevice::reap() {
  unsigned head = 0;
  unsigned seen = 0;
  bool woken = false;
  io_uring_cqe* entry = nullptr;
  io_uring_for_each_cqe(&ring_, head, entry) {
    ++seen;
    auto* const request = static_cast<IoRequest*>(io_uring_cqe_get_data(entry));
    if (request == nullptr) {
      woken = true;
      continue;
    }
    --inFlight_;
    if (entry->res == -EINTR || entry->res == -EAGAIN) {
      waiting_.push_front(request);
      continue;
    }
    const bool isWhole = entry->res == static_cast<int>(request->length);
    completed_.emplace_back(request, isWhole ? 0 : entry->res < 0 ? -entry->res : EIO);
  }
  io_uring_cq_advance(&ring_, seen);
  if (woken) {
    armWake();
  }
}

}  // namespace shift::node
