#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace shift {

/** A number that goes up, or (a gauge) is set. Safe from any thread; costs one relaxed atomic operation. */
class Counter {
 public:
  void add(std::int64_t amount = 1) { value_.fetch_add(amount, std::memory_order_relaxed); }
  void set(std::int64_t value) { value_.store(value, std::memory_order_relaxed); }
  std::int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
};

struct CounterValue {
  std::string name;
  std::string help;
  std::int64_t value = 0;
};

/**
 * The counters of one process by name. A component asks for its counters once, when it is built, and keeps
 * the references; they live as long as the registry. One registry is made by main() and handed down.
 */
class CounterRegistry {
 public:
  /** The counter of this name, made on first use. Names follow Prometheus: `node_get_hits_total`. */
  Counter& counter(std::string_view name, std::string_view help);

  /** All counters in the order in which they were first asked for. */
  std::vector<CounterValue> snapshot() const;

 private:
  struct Named {
    std::string name;
    std::string help;
    Counter counter;
  };
  mutable std::mutex mutex_;
  std::deque<Named> counters_;  // a deque: references stay valid as it grows
};

}  // namespace shift
