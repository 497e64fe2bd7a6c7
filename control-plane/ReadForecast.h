#pragma once

#include <limits>
#include <vector>

#include "control-plane/ReadProgress.h"

namespace shift::control {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/**
 * When one job is expected to read each part of one partition. Either along legs (a stretch of the listing,
 * read at a rate from a time on), or, if the order is not known, at any time up to an end. Times are
 * absolute, in seconds: while the job keeps its pace the forecast stays right by itself.
 */
class ReadForecast {
 public:
  struct Leg {
    double start = 0;  // offset in the listing
    double end = 0;
    double time = 0;  // when `start` is read
    double rate = 0;  // bytes per second

    double finish() const { return time + (end - start) / rate; }
  };

  /** Nothing more is expected. */
  ReadForecast() = default;
  /** `legs` by increasing start; a place up to `slack` before a leg is taken to be read just as it begins. */
  static ReadForecast alongLegs(std::vector<Leg> legs, double slack);
  static ReadForecast anyTime(double from, double until);

  /** When the place is read; kNever if it is not. */
  double at(double offset) const;
  /** Whether at() is the middle of a range rather than a point. */
  bool isSpread() const { return spread_; }
  bool isNothing() const { return !spread_ && legs_.empty(); }
  const std::vector<Leg>& legs() const { return legs_; }

  /** Whether the two differ by more than rescoring is worth, seen from `now`. */
  bool differsFrom(const ReadForecast& other, double now) const;

 private:
  std::vector<Leg> legs_;
  double slack_ = 0;
  bool spread_ = false;
  double middle_ = 0;
};

/** How a job takes a partition apart: where its readers begin, as shares of the partition, ascending. */
using SplitLayout = std::vector<double>;

/** What a forecast is made from. */
struct ForecastInput {
  const ReadProgress& progress;
  double totalBytes = 0;    // of the listing, other nodes' blocks included
  double blockSpacing = 0;  // mean bytes of the listing between two blocks that this node owns
  bool ordered = true;
  SplitLayout layout;              // expected; may be empty
  std::vector<double> startTimes;  // per split of the layout, for those that have not begun
  double rate = 0;                 // bytes per second of one split, where none was measured
  double refreshSeconds = 10;
  double now = 0;
};

ReadForecast forecast(const ForecastInput& input);

/** The splits that the streams show; `fallback` while they show none. */
SplitLayout layoutOf(const ReadProgress& progress, double totalBytes, const SplitLayout& fallback);

}  // namespace shift::control
