#include "control-plane/ReadForecast.h"

#include <algorithm>
#include <cmath>

namespace shift::control {

namespace {

/** Rescoring is worth it from this error on, as a share of the time to go, and in any case in seconds. */
constexpr double kForecastTolerance = 0.02;
constexpr double kToleranceSeconds = 1.0;

/** A stretch shorter than this share of the partition is the jitter of readers on one queue, not a split. */
constexpr double kSmallSplit = 0.01;

/** From so many times the rate of one stream on, several readers must be at work. */
constexpr double kSeveralReaders = 1.5;

bool differ(double left, double right, double now) {
  if (std::isinf(left) || std::isinf(right)) {
    return left != right;
  }
  return std::abs(left - right) >
         std::max(kToleranceSeconds, kForecastTolerance * (std::max(left, right) - now));
}

/** A stream that has been silent for long is expected to stay so for as long again. */
double readyTime(const ReadStream& stream, double rate, const ForecastInput& input) {
  const double silence = input.now - stream.lastTime;
  const double patience = std::max(3 * input.refreshSeconds, 10 * input.blockSpacing / rate);
  return silence > patience ? input.now + silence : stream.lastTime;
}

/** Where the stretch before `stream` ends: at the next place where somebody began. */
double endOf(const ReadStream& stream, const ForecastInput& input) {
  double end = input.totalBytes;
  for (const ReadStream& other : input.progress.streams()) {
    if (other.firstOffset > stream.lastOffset) {
      end = std::min(end, other.firstOffset);
    }
  }
  for (const double split : input.layout) {
    const double start = split * input.totalBytes;
    if (start > stream.lastOffset + ReadProgress::kNear * input.blockSpacing) {
      end = std::min(end, start);
    }
  }
  return end;
}

bool isBegun(double start, const ForecastInput& input) {
  const double near = ReadProgress::kNear * input.blockSpacing;
  return std::ranges::any_of(input.progress.streams(), [&](const ReadStream& stream) {
    return stream.firstOffset <= start + near && stream.lastOffset >= start - near;
  });
}

}  // namespace

ReadForecast ReadForecast::alongLegs(std::vector<Leg> legs, double slack) {
  ReadForecast result;
  result.legs_ = std::move(legs);
  result.slack_ = slack;
  return result;
}

ReadForecast ReadForecast::anyTime(double from, double until) {
  ReadForecast result;
  result.spread_ = true;
  result.middle_ = (from + until) / 2;
  return result;
}

double ReadForecast::at(double offset) const {
  if (spread_) {
    return middle_;
  }
  double best = kNever;
  for (const Leg& leg : legs_) {
    if (offset >= leg.start - slack_ && offset < leg.end) {
      best = std::min(best, leg.time + std::max(0.0, offset - leg.start) / leg.rate);
    }
  }
  return best;
}

bool ReadForecast::differsFrom(const ReadForecast& other, double now) const {
  if (spread_ != other.spread_ || legs_.empty() != other.legs_.empty()) {
    return true;
  }
  if (spread_) {
    return differ(middle_, other.middle_, now);
  }
  const auto differsAlong = [&](const std::vector<Leg>& legs) {
    return std::ranges::any_of(legs, [&](const Leg& leg) {
      const double last = leg.start + 0.999 * (leg.end - leg.start);
      return differ(at(leg.start), other.at(leg.start), now) || differ(at(last), other.at(last), now);
    });
  };
  return differsAlong(legs_);
}

ReadForecast forecast(const ForecastInput& input) {
  const ReadProgress& progress = input.progress;
  const bool begun = progress.lastRead() > 0;
  if (!input.ordered || progress.isDisordered()) {
    const double left = progress.blocks() - progress.count();
    if (left <= 0) {
      return {};
    }
    const double rate =
        progress.blockRate() > 0
            ? progress.blockRate()
            : input.rate * std::max<std::size_t>(1, input.layout.size()) / std::max(1.0, input.blockSpacing);
    double from = begun ? progress.lastRead()
                        : (input.startTimes.empty() ? input.now : std::ranges::min(input.startTimes));
    const double silence = input.now - progress.lastRead();
    if (begun && silence > 3 * input.refreshSeconds) {
      from = input.now + silence;
    }
    return ReadForecast::anyTime(from, from + left / rate);
  }

  std::vector<ReadForecast::Leg> legs;
  double openStretches = 0;
  for (const ReadStream& stream : progress.streams()) {
    const double rate = stream.rate > 0 ? stream.rate : input.rate;
    const double end = endOf(stream, input);
    if (end - stream.lastOffset > input.blockSpacing / 2) {
      legs.push_back({stream.lastOffset, end, readyTime(stream, rate, input), rate});
      openStretches += end - stream.lastOffset > kSmallSplit * input.totalBytes ? 1 : 0;
    }
  }
  if (openStretches == 1 && !legs.empty() && progress.blockRate() > 0 && input.layout.size() <= 1) {
    // Readers that share one queue all work on the one stretch that is left.
    const auto widest =
        std::ranges::max_element(legs, {}, [](const ReadForecast::Leg& leg) { return leg.end - leg.start; });
    const double together = progress.blockRate() * input.blockSpacing;
    if (together > kSeveralReaders * widest->rate) {
      widest->rate = together;
    }
  }
  for (std::size_t i = 0; i < input.layout.size(); ++i) {
    const double start = input.layout[i] * input.totalBytes;
    if (!isBegun(start, input)) {
      double end = i + 1 < input.layout.size() ? input.layout[i + 1] * input.totalBytes : input.totalBytes;
      for (const ReadStream& stream : progress.streams()) {
        if (stream.firstOffset > start) {
          end = std::min(end, stream.firstOffset);
        }
      }
      const double time = i < input.startTimes.size() ? std::max(input.now, input.startTimes[i]) : input.now;
      legs.push_back({start, end, time, input.rate});
    }
  }
  std::ranges::sort(legs, {}, &ReadForecast::Leg::start);
  return ReadForecast::alongLegs(std::move(legs), ReadProgress::kNear * input.blockSpacing);
}

SplitLayout layoutOf(const ReadProgress& progress, double totalBytes, const SplitLayout& fallback) {
  if (progress.streams().empty() || progress.isDisordered()) {
    return fallback;
  }
  // Readers of one job are about equally fast: a stream that has covered far less than the longest is jitter.
  const std::uint32_t longest = std::ranges::max_element(progress.streams(), {}, &ReadStream::blocks)->blocks;
  std::vector<double> starts;
  for (const ReadStream& stream : progress.streams()) {
    if (stream.blocks * 4 >= longest) {
      starts.push_back(stream.firstOffset / totalBytes);
    }
  }
  std::ranges::sort(starts);
  SplitLayout layout;
  for (const double start : starts) {
    if (layout.empty() || start - layout.back() > kSmallSplit) {
      layout.push_back(start);
    }
  }
  // The first reader begins at the beginning, even if this node owns only what comes a little later.
  if (layout.front() < kSmallSplit) {
    layout.front() = 0;
  }
  return layout;
}

}  // namespace shift::control
