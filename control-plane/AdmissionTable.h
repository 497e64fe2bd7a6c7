#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "control-plane/SegmentMapper.h"

namespace shift::control {

/** What is to be done with the segments of a bucket. */
struct BucketPolicy {
  bool admit = false;
  bool reinsert = false;

  bool operator==(const BucketPolicy&) const = default;
};

/**
 * What the data plane reads: bucket -> policy. find() takes no lock and waits for nobody; one thread at a
 * time may call update(). A bucket's entry is a single word, so each change is seen whole; as a decision
 * depends on one bucket only, changing just the words that differ is to every reader the same as swapping the
 * table, and costs only what has changed. A table that is too small is replaced by a larger one, atomically;
 * the smaller ones stay readable for as long as this lives (together they are no larger than the present
 * one).
 */
class AdmissionTable {
 public:
  AdmissionTable();

  /** `unknown` if the bucket is not in the table. */
  BucketPolicy find(BucketId bucket, BucketPolicy unknown) const;

  struct Entry {
    BucketId bucket = 0;
    BucketPolicy policy;
  };
  void update(std::span<const Entry> entries, std::span<const BucketId> forgotten);

  std::size_t size() const { return size_; }

 private:
  /** The bucket's id but for its three lowest bits; these say admit, reinsert, known. 0 = free. */
  using Word = std::uint64_t;
  struct Table {
    explicit Table(std::size_t slots) : words(slots) {}
    std::vector<std::atomic<Word>> words;
  };

  std::atomic<Word>* slotOf(Table& table, BucketId bucket) const;
  void grow();

  std::vector<std::unique_ptr<Table>> tables_;  // the last is the present one
  std::atomic<Table*> present_;
  std::size_t used_ = 0;  // slots that are taken, forgotten buckets included
  std::size_t size_ = 0;
};

}  // namespace shift::control
