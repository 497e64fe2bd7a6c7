#include "common/PeriodicTask.h"

namespace shift {

PeriodicTask::PeriodicTask(Duration every, std::function<void()> tick)
    : every_(every), tick_(std::move(tick)), thread_([this] { run(); }) {}

PeriodicTask::~PeriodicTask() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void PeriodicTask::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, every_, [this] { return stopping_; })) {
    lock.unlock();
    tick_();
    lock.lock();
  }
}

}  // namespace shift
