#include "tests/support/engine/FaultyDevice.h"

#include <utility>

namespace shift::test {

void Faults::failReads(int error) {
  std::lock_guard lock(mutex_);
  readError_ = error;
}

void Faults::failWrites(int error) {
  std::lock_guard lock(mutex_);
  writeError_ = error;
}

void Faults::failSyncs(int error) {
  std::lock_guard lock(mutex_);
  syncError_ = error;
}

void Faults::hold() {
  std::lock_guard lock(mutex_);
  isHolding_ = true;
}

void Faults::release() {
  std::vector<node::IoRequest> released;
  {
    std::lock_guard lock(mutex_);
    isHolding_ = false;
    released.swap(held_);
  }
  if (!released.empty()) {
    device_->submit(std::move(released));
  }
}

std::size_t Faults::held() const {
  std::lock_guard lock(mutex_);
  return held_.size();
}

FaultyDevice::FaultyDevice(std::unique_ptr<node::Device> device, std::shared_ptr<Faults> faults)
    : Device(device->name(), device->size()), device_(std::move(device)), faults_(std::move(faults)) {
  faults_->device_ = device_.get();
}

void FaultyDevice::start(std::vector<node::IoRequest> requests) {
  std::vector<node::IoRequest> passed;
  std::vector<std::pair<node::IoRequest, int>> failed;
  {
    std::lock_guard lock(faults_->mutex_);
    for (node::IoRequest& request : requests) {
      const int error = request.kind == node::IoKind::kRead ? faults_->readError_ : faults_->writeError_;
      if (faults_->isHolding_) {
        faults_->held_.push_back(std::move(request));
      } else if (error != 0) {
        failed.emplace_back(std::move(request), error);
      } else {
        passed.push_back(std::move(request));
      }
    }
  }
  for (const auto& [request, error] : failed) {
    request.done(error);
  }
  if (!passed.empty()) {
    device_->submit(std::move(passed));
  }
}

Status FaultyDevice::doSync() {
  {
    std::lock_guard lock(faults_->mutex_);
    if (faults_->syncError_ != 0) {
      return Error::fromErrno(faults_->syncError_, "syncing");
    }
  }
  return device_->sync();
}

}  // namespace shift::test
