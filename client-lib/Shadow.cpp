#include "client-lib/Shadow.h"

#include <algorithm>

#include "common/Log.h"

namespace shift::client {
namespace {

/** Numbers that follow each other become numbers all over the range. */
double spread(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((number ^ (number >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

Shadow::~Shadow() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Shadow::setSample(double share) {
  share_ = share;
  std::lock_guard lock(mutex_);
  if (share > 0 && !thread_.joinable()) {
    thread_ = std::thread([this] { run(); });
  }
}

void Shadow::offer(const FileIdentity& file, std::uint64_t offset, std::span<const std::byte> bytes) {
  const double share = share_.load(std::memory_order_relaxed);
  if (share <= 0 || spread(offered_.fetch_add(1, std::memory_order_relaxed)) >= share) {
    return;
  }
  Sample sample{file, offset, {bytes.begin(), bytes.end()}};
  std::lock_guard lock(mutex_);
  if (waiting_.size() < kMaxWaiting) {
    waiting_.push_back(std::move(sample));
    changed_.notify_all();
  }
}

Shadow::Findings Shadow::findings() const {
  std::lock_guard lock(mutex_);
  return sinceStart_;
}

Shadow::Findings Shadow::take() {
  std::lock_guard lock(mutex_);
  return std::exchange(untaken_, {});
}

void Shadow::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.empty() && !isComparing_; });
}

void Shadow::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) {
      return;
    }
    const Sample sample = std::move(waiting_.front());
    waiting_.pop_front();
    isComparing_ = true;
    lock.unlock();
    const Verdict verdict = compare(sample);
    lock.lock();
    enter(sinceStart_, sample, verdict);
    enter(untaken_, sample, verdict);
    isComparing_ = false;
    changed_.notify_all();
  }
}

Shadow::Verdict Shadow::compare(const Sample& sample) const {
  const Result<std::unique_ptr<store::BackingFile>> file = store_.open(sample.file.path);
  if (!file || (*file)->info().version != sample.file.version) {
    return Verdict::kUnknown;
  }
  std::vector<std::byte> truth(sample.bytes.size());
  const Result<std::size_t> got = (*file)->read(std::span(truth), sample.offset);
  const Result<store::FileInfo> after = (*file)->currentInfo();
  if (!got || *got != truth.size() || !after || *after != (*file)->info()) {
    return Verdict::kUnknown;
  }
  if (truth == sample.bytes) {
    return Verdict::kSame;
  }
  logWarning("a node gave other bytes than the backing store has: " + sample.file.path + " at " +
             std::to_string(sample.offset));
  return Verdict::kDifferent;
}

void Shadow::enter(Findings& findings, const Sample& sample, Verdict verdict) {
  if (verdict == Verdict::kUnknown) {
    return;
  }
  ++findings.reads;
  findings.bytes += sample.bytes.size();
  if (verdict == Verdict::kDifferent) {
    ++findings.mismatches;
    findings.lastMismatch = sample.file.path + " at " + std::to_string(sample.offset);
  }
}

}  // namespace shift::client
