#pragma once

#include <array>
#include <cstddef>

#include "common/Clock.h"
#include "common/Counters.h"
#include "control-plane/Decision.h"
#include "shift-node/Filler.h"
#include "shift-node/engine/SegmentRef.h"

namespace shift::node {

/**
 * What becomes of gets, for metrics: every get is a hit, filled, or a miss with its reason. Costs a few
 * relaxed additions. Thread-safe.
 */
class GetCounters {
 public:
  explicit GetCounters(CounterRegistry& registry);

  /** Served from the cache alone; `tier` is the slowest that was read. */
  void hit(Tier tier, std::uint64_t bytes, Duration took);
  /** Served after something was fetched for it. */
  void filled(std::uint64_t bytes, Duration took);
  void refused(control::Reason reason, Duration took);
  /** Admitted, but the fill did not succeed. */
  void failed(FillStatus status, Duration took);
  /** The segment in the cache is shorter than the client says the file is. */
  void tooShort(Duration took);
  /** Made no sense: nothing was looked up for it. */
  void invalid();

 private:
  static constexpr std::size_t kTiers = 2;
  static constexpr std::size_t kReasons = static_cast<std::size_t>(control::Reason::kUsedTooLate) + 1;

  std::array<Counter*, kTiers> hits_{};
  std::array<Counter*, kTiers> hitBytes_{};
  std::array<Counter*, kReasons> refusals_{};
  Counter& fills_;
  Counter& servedBytes_;
  Counter& busy_;
  Counter& changed_;
  Counter& storeFailed_;
  Counter& tooShort_;
  Counter& invalid_;
  std::array<LatencyHistogram*, kTiers> hitTime_{};
  LatencyHistogram& filledTime_;
  LatencyHistogram& missTime_;
};

}  // namespace shift::node
