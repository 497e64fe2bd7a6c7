#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "control-plane/SegmentMapper.h"

namespace shift::control {

/**
 * What the data plane reads: bucket -> priority, to be held against the thresholds of the moment, so that a
 * threshold may move without any bucket being touched. find() takes no lock and waits for nobody; one thread
 * at a time may call update(). A priority is a single word, so each change is seen whole; as a decision
 * depends on one bucket only, changing just the words that differ is to every reader the same as swapping the
 * table, and costs only what has changed. A table that is too small is replaced by a larger one, atomically;
 * the smaller ones stay readable for as long as this lives (together they are no larger than the present
 * one).
 */
class AdmissionTable {
 public:
  AdmissionTable();

  /** `unknown` if the bucket is not in the table. */
  double find(BucketId bucket, double unknown) const;

  struct Entry {
    BucketId bucket = 0;
    double priority = 0;  // not negative
  };
  void update(std::span<const Entry> entries, std::span<const BucketId> forgotten);

  std::size_t size() const { return size_; }

 private:
  static constexpr double kForgotten = -1;

  /** The key is written last, and never again. */
  struct Slot {
    std::atomic<BucketId> key{0};  // 0 = free
    std::atomic<double> priority{kForgotten};
  };
  struct Table {
    explicit Table(std::size_t count) : slots(count) {}
    std::vector<Slot> slots;
  };

  static Slot& slotOf(Table& table, BucketId bucket);
  void grow();

  std::vector<std::unique_ptr<Table>> tables_;  // the last is the present one
  std::atomic<Table*> present_;
  std::size_t used_ = 0;  // slots that are taken, forgotten buckets included
  std::size_t size_ = 0;
};

}  // namespace shift::control
