#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "backing-store/BackingStore.h"
#include "client-lib/ReadPlan.h"

namespace shift::client {

/**
 * Compares a sample of what nodes gave with the backing store, beside the reads that it is a sample of. Off
 * until setSample() turns it on. Bounded: what comes while too much waits is passed over. A file that has
 * changed since it was opened is no evidence and is passed over as well. Thread-safe.
 */
class Shadow {
 public:
  /** The store must outlive it. */
  explicit Shadow(const store::BackingStore& store) : store_(store) {}
  /** Waits for the comparison under way. */
  ~Shadow();

  /** The share of answers that is compared, from 0 to 1. */
  void setSample(double share);

  /** Bytes of a file that a node gave. Copies them if they are in the sample. */
  void offer(const FileIdentity& file, std::uint64_t offset, std::span<const std::byte> bytes);

  struct Findings {
    std::uint64_t reads = 0;  // compared
    std::uint64_t bytes = 0;
    std::uint64_t mismatches = 0;
    std::string lastMismatch;  // "path at offset"
  };
  /** Since the beginning. */
  Findings findings() const;
  /** Since the last call. */
  Findings take();

  /** Returns when all that was offered so far has been compared. */
  void wait();

 private:
  struct Sample {
    FileIdentity file;
    std::uint64_t offset = 0;
    std::vector<std::byte> bytes;
  };
  enum class Verdict { kSame, kDifferent, kUnknown };

  void run();
  Verdict compare(const Sample& sample) const;
  static void enter(Findings& findings, const Sample& sample, Verdict verdict);

  static constexpr std::size_t kMaxWaiting = 16;

  const store::BackingStore& store_;
  std::atomic<double> share_{0};
  std::atomic<std::uint64_t> offered_{0};
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Sample> waiting_;
  bool isComparing_ = false;
  bool stopping_ = false;
  Findings sinceStart_;
  Findings untaken_;
  std::thread thread_;
};

}  // namespace shift::client
