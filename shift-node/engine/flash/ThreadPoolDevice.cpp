#include "shift-node/engine/flash/ThreadPoolDevice.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace shift::node {

ThreadPoolDevice::ThreadPoolDevice(FlashFile file, unsigned threads)
    : Device(file.path(), file.size()), file_(std::move(file)) {
  for (unsigned i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { work(); });
  }
}

ThreadPoolDevice::~ThreadPoolDevice() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

std::string ThreadPoolDevice::describe() const {
  return "pread/pwrite on " + std::to_string(threads_.size()) + " threads" +
         (file_.isDirect() ? "" : ", through the page cache");
}

void ThreadPoolDevice::start(std::vector<IoRequest> requests) {
  {
    std::lock_guard lock(mutex_);
    for (IoRequest& request : requests) {
      queue_.push_back(std::move(request));
    }
  }
  if (requests.size() == 1) {
    wake_.notify_one();
  } else {
    wake_.notify_all();
  }
}

void ThreadPoolDevice::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) {
      return;
    }
    const IoRequest request = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    request.done(transfer(request));
    lock.lock();
  }
}

int ThreadPoolDevice::transfer(const IoRequest& request) const {
  std::uint32_t moved = 0;
  while (moved < request.length) {
    std::byte* const at = request.data + moved;
    const auto place = static_cast<off_t>(request.offset + moved);
    const ssize_t count = request.kind == IoKind::kRead
                              ? ::pread(file_.descriptor(), at, request.length - moved, place)
                              : ::pwrite(file_.descriptor(), at, request.length - moved, place);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return count < 0 ? errno : EIO;
    }
    moved += static_cast<std::uint32_t>(count);
  }
  return 0;
}

}  // namespace shift::node
