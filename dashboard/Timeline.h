#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "thrift/admin_types.h"

namespace shift::dashboard {

inline constexpr std::int64_t kHourMs = 3'600'000;

/** How much was moved, in bytes. */
struct Volume {
  double requested = 0;  // asked for by clients, whatever came of it
  double served = 0;
  double fetched = 0;  // from the backing store
  double written = 0;  // to flash
};

/** A node's sums since its start, at one time. */
struct Sample {
  std::int64_t atMs = 0;
  Volume total;
  std::optional<double> admitThreshold;  // nothing: without bound
  std::optional<double> horizonSeconds;
};

/** What one node told of its last hour. Bounded: what is older is forgotten. One thread. */
class Timeline {
 public:
  /** Points in the order of their times; those that are known already are passed over. */
  void add(const std::vector<wire::HistoryPoint>& points, std::int64_t nowMs);
  void forgetBefore(std::int64_t ms);

  /** The time of the youngest sample; 0 if there is none. */
  std::int64_t newestMs() const { return samples_.empty() ? 0 : samples_.back().atMs; }
  const std::deque<Sample>& samples() const { return samples_; }

 private:
  std::deque<Sample> samples_;
};

/** The lowest and the highest value among the nodes. */
struct Extent {
  double low = 0;
  double high = 0;
};

/** What all nodes together did in a stretch of kStepMs. */
struct Step {
  static constexpr std::int64_t kStepMs = 5000;

  std::int64_t endMs = 0;
  Volume volume;
  std::optional<Extent> admitThreshold;
  std::optional<Extent> horizonSeconds;
};

/**
 * The steps that end after `afterMs` and not after `untilMs`, the oldest first. What a node did between two
 * of its samples is spread evenly over that time; sums that fall mean that it began anew.
 */
std::vector<Step> stepsOf(std::span<const Timeline* const> nodes, std::int64_t afterMs, std::int64_t untilMs);

}  // namespace shift::dashboard
