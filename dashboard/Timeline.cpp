#include "dashboard/Timeline.h"

#include <algorithm>

#include "shift-node/AdminSums.h"

namespace shift::dashboard {
namespace {

/** A node that was silent for longer has not worked evenly through that time: it was down. */
constexpr std::int64_t kLongestSpreadMs = 15'000;

Sample toSample(const wire::HistoryPoint& point) {
  Sample sample{.atMs = point.atMs,
                .total = {.requested = static_cast<double>(point.total.requestedBytes),
                          .served = static_cast<double>(point.total.servedBytes),
                          .fetched = static_cast<double>(point.total.fetchedBytes),
                          .written = static_cast<double>(node::written(point.total))},
                .admitThreshold = {},
                .horizonSeconds = {}};
  if (point.__isset.admitThreshold) {
    sample.admitThreshold = point.admitThreshold;
  }
  if (point.__isset.horizonSeconds) {
    sample.horizonSeconds = point.horizonSeconds;
  }
  return sample;
}

Volume between(const Volume& from, const Volume& to) {
  const bool beganAnew = to.requested < from.requested || to.served < from.served ||
                         to.fetched < from.fetched || to.written < from.written;
  return beganAnew ? to
                   : Volume{.requested = to.requested - from.requested,
                            .served = to.served - from.served,
                            .fetched = to.fetched - from.fetched,
                            .written = to.written - from.written};
}

void addShare(Volume& sum, const Volume& more, double share) {
  sum.requested += more.requested * share;
  sum.served += more.served * share;
  sum.fetched += more.fetched * share;
  sum.written += more.written * share;
}

void widen(std::optional<Extent>& extent, const std::optional<double>& value) {
  if (value) {
    extent = extent ? Extent{std::min(extent->low, *value), std::max(extent->high, *value)}
                    : Extent{*value, *value};
  }
}

}  // namespace

void Timeline::add(const std::vector<wire::HistoryPoint>& points, std::int64_t nowMs) {
  for (const wire::HistoryPoint& point : points) {
    if (point.atMs > newestMs()) {
      samples_.push_back(toSample(point));
    }
  }
  forgetBefore(nowMs - kHourMs);
}

void Timeline::forgetBefore(std::int64_t ms) {
  while (!samples_.empty() && samples_.front().atMs < ms) {
    samples_.pop_front();
  }
}

std::vector<Step> stepsOf(std::span<const Timeline* const> nodes, std::int64_t afterMs,
                          std::int64_t untilMs) {
  std::int64_t oldest = untilMs;
  for (const Timeline* const node : nodes) {
    oldest = node->samples().empty() ? oldest : std::min(oldest, node->samples().front().atMs);
  }
  const std::int64_t first = std::max(afterMs, oldest) / Step::kStepMs;
  const std::int64_t last = untilMs / Step::kStepMs;
  std::vector<Step> steps;
  for (std::int64_t i = first; i < last; ++i) {
    steps.push_back(
        {.endMs = (i + 1) * Step::kStepMs, .volume = {}, .admitThreshold = {}, .horizonSeconds = {}});
  }
  for (const Timeline* const node : nodes) {
    const std::deque<Sample>& samples = node->samples();
    for (std::size_t i = 1; i < samples.size(); ++i) {
      const Sample& to = samples[i];
      const std::int64_t begin = std::max(samples[i - 1].atMs, to.atMs - kLongestSpreadMs);
      const Volume moved = between(samples[i - 1].total, to.total);
      const std::int64_t from = std::max(begin / Step::kStepMs, first);
      const std::int64_t end = std::min((to.atMs - 1) / Step::kStepMs + 1, last);
      for (std::int64_t k = from; k < end; ++k) {
        Step& step = steps[static_cast<std::size_t>(k - first)];
        const std::int64_t overlap =
            std::min(to.atMs, step.endMs) - std::max(begin, step.endMs - Step::kStepMs);
        addShare(step.volume, moved, static_cast<double>(overlap) / static_cast<double>(to.atMs - begin));
        widen(step.admitThreshold, to.admitThreshold);
        widen(step.horizonSeconds, to.horizonSeconds);
      }
    }
  }
  return steps;
}

}  // namespace shift::dashboard
