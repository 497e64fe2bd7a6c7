#include "control-plane/AdmissionTable.h"

namespace shift::control {

namespace {

constexpr std::size_t kFirstSlots = 1024;

BucketId keyOf(BucketId bucket) {
  return bucket == 0 ? ~BucketId{0} : bucket;  // 0 marks a free slot
}

}  // namespace

AdmissionTable::AdmissionTable() {
  tables_.push_back(std::make_unique<Table>(kFirstSlots));
  present_.store(tables_.back().get(), std::memory_order_release);
}

double AdmissionTable::find(BucketId bucket, double unknown) const {
  Table& table = *present_.load(std::memory_order_acquire);
  const double priority = slotOf(table, bucket).priority.load(std::memory_order_relaxed);
  return priority == kForgotten ? unknown : priority;
}

void AdmissionTable::update(std::span<const Entry> entries, std::span<const BucketId> forgotten) {
  for (const BucketId bucket : forgotten) {
    Slot& slot = slotOf(*tables_.back(), bucket);
    if (slot.priority.load(std::memory_order_relaxed) != kForgotten) {
      slot.priority.store(kForgotten, std::memory_order_relaxed);
      --size_;
    }
  }
  for (const Entry& entry : entries) {
    if (used_ * 2 >= tables_.back()->slots.size()) {
      grow();
    }
    Slot& slot = slotOf(*tables_.back(), entry.bucket);
    const double old = slot.priority.load(std::memory_order_relaxed);
    size_ += old == kForgotten ? 1 : 0;
    if (old != entry.priority) {
      slot.priority.store(entry.priority, std::memory_order_relaxed);
    }
    if (slot.key.load(std::memory_order_relaxed) == 0) {
      slot.key.store(keyOf(entry.bucket), std::memory_order_release);
      ++used_;
    }
  }
}

AdmissionTable::Slot& AdmissionTable::slotOf(Table& table, BucketId bucket) {
  const BucketId key = keyOf(bucket);
  const std::size_t mask = table.slots.size() - 1;
  for (std::size_t at = (key >> 3) & mask;; at = (at + 1) & mask) {
    const BucketId found = table.slots[at].key.load(std::memory_order_acquire);
    if (found == 0 || found == key) {
      return table.slots[at];
    }
  }
}

void AdmissionTable::grow() {
  const Table& old = *tables_.back();
  auto larger = std::make_unique<Table>(old.slots.size() * 2);
  used_ = 0;
  for (const Slot& slot : old.slots) {
    const double priority = slot.priority.load(std::memory_order_relaxed);
    if (priority != kForgotten) {  // forgotten buckets are left behind
      const BucketId key = slot.key.load(std::memory_order_relaxed);
      Slot& place = slotOf(*larger, key);
      place.priority.store(priority, std::memory_order_relaxed);
      place.key.store(key, std::memory_order_relaxed);
      ++used_;
    }
  }
  present_.store(larger.get(), std::memory_order_release);
  tables_.push_back(std::move(larger));
}

}  // namespace shift::control
