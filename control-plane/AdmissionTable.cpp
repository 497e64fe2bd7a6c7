#include "control-plane/AdmissionTable.h"

namespace shift::control {

namespace {

constexpr std::uint64_t kAdmit = 1;
constexpr std::uint64_t kReinsert = 2;
constexpr std::uint64_t kKnown = 4;
constexpr std::uint64_t kFlags = kAdmit | kReinsert | kKnown;
constexpr std::size_t kFirstSlots = 1024;

std::uint64_t keyOf(BucketId bucket) {
  const std::uint64_t key = bucket & ~kFlags;
  return key == 0 ? ~kFlags : key;  // 0 marks a free slot
}

}  // namespace

AdmissionTable::AdmissionTable() {
  tables_.push_back(std::make_unique<Table>(kFirstSlots));
  present_.store(tables_.back().get(), std::memory_order_release);
}

BucketPolicy AdmissionTable::find(BucketId bucket, BucketPolicy unknown) const {
  Table& table = *present_.load(std::memory_order_acquire);
  const Word word = slotOf(table, bucket)->load(std::memory_order_relaxed);
  if ((word & kKnown) == 0) {
    return unknown;
  }
  return {.admit = (word & kAdmit) != 0, .reinsert = (word & kReinsert) != 0};
}

void AdmissionTable::update(std::span<const Entry> entries, std::span<const BucketId> forgotten) {
  for (const BucketId bucket : forgotten) {
    std::atomic<Word>& slot = *slotOf(*tables_.back(), bucket);
    const Word word = slot.load(std::memory_order_relaxed);
    if ((word & kKnown) != 0) {
      slot.store(word & ~kFlags, std::memory_order_relaxed);
      --size_;
    }
  }
  for (const Entry& entry : entries) {
    if (used_ * 2 >= tables_.back()->words.size()) {
      grow();
    }
    std::atomic<Word>& slot = *slotOf(*tables_.back(), entry.bucket);
    const Word old = slot.load(std::memory_order_relaxed);
    const Word word = keyOf(entry.bucket) | kKnown | (entry.policy.admit ? kAdmit : 0) |
                      (entry.policy.reinsert ? kReinsert : 0);
    used_ += old == 0 ? 1 : 0;
    size_ += (old & kKnown) == 0 ? 1 : 0;
    if (old != word) {
      slot.store(word, std::memory_order_relaxed);
    }
  }
}

std::atomic<AdmissionTable::Word>* AdmissionTable::slotOf(Table& table, BucketId bucket) const {
  const std::uint64_t key = keyOf(bucket);
  const std::size_t mask = table.words.size() - 1;
  for (std::size_t at = (key >> 3) & mask;; at = (at + 1) & mask) {
    const Word word = table.words[at].load(std::memory_order_relaxed);
    if (word == 0 || (word & ~kFlags) == key) {
      return &table.words[at];
    }
  }
}

void AdmissionTable::grow() {
  const Table& old = *tables_.back();
  auto larger = std::make_unique<Table>(old.words.size() * 2);
  used_ = 0;
  for (const std::atomic<Word>& slot : old.words) {
    const Word word = slot.load(std::memory_order_relaxed);
    if ((word & kKnown) != 0) {  // forgotten buckets are left behind
      slotOf(*larger, word)->store(word, std::memory_order_relaxed);
      ++used_;
    }
  }
  present_.store(larger.get(), std::memory_order_release);
  tables_.push_back(std::move(larger));
}

}  // namespace shift::control
