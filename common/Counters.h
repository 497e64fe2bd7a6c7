#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/LatencyHistogram.h"

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

/** What tells the series of one family apart, such as reason and tier: names and values, in the order in
 * which they are shown. */
using Labels = std::vector<std::pair<std::string, std::string>>;

struct CounterValue {
  std::string name;  // with its labels: `node_get_hits_total{tier="dram"}`
  std::string help;
  std::int64_t value = 0;
  std::string family;  // without them
  Labels labels;
};

struct HistogramValue {
  std::string family;
  std::string help;
  Labels labels;
  LatencyHistogram::Counts counts;
};

/**
 * The counters of one process by name. A component asks for its counters once, when it is built, and keeps
 * the references; they live as long as the registry. One registry is made by main() and handed down.
 *
 * Names follow Prometheus: `node_get_hits_total`. What ends in `_total` only goes up; everything else is a
 * gauge. Times are counted in nanoseconds, say so in their name (`_nanoseconds`), and are shown to Prometheus
 * in seconds.
 */
class CounterRegistry {
 public:
  /** The counter of this name and these labels, made on first use. */
  Counter& counter(std::string_view name, std::string_view help, const Labels& labels = {});
  /** The histogram of this name and these labels, made on first use: `node_get_seconds`. */
  LatencyHistogram& histogram(std::string_view name, std::string_view help, const Labels& labels = {});

  /** All counters in the order in which they were first asked for. */
  std::vector<CounterValue> snapshot() const;
  /** All histograms, in the same way. */
  std::vector<HistogramValue> histograms() const;

 private:
  template <typename Kind>
  struct Named {
    std::string name;
    std::string help;
    Labels labels;
    Kind kind;
  };
  // Deques: references stay valid as they grow.
  template <typename Kind>
  using All = std::deque<Named<Kind>>;

  template <typename Kind>
  Kind& find(All<Kind>& all, std::string_view name, std::string_view help, const Labels& labels);

  mutable std::mutex mutex_;
  All<Counter> counters_;
  All<LatencyHistogram> histograms_;
};

}  // namespace shift
