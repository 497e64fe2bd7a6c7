#include "dashboard/Monitor.h"

#include <algorithm>
#include <future>
#include <nlohmann/json.hpp>

#include "backing-store/StorePath.h"
#include "common/WallMilliseconds.h"
#include "shift-node/AdminJson.h"

namespace shift::dashboard {
namespace {

using nlohmann::json;

constexpr Duration kWatchedFor = std::chrono::seconds(30);
/** Buckets that each node is asked for. */
constexpr std::int32_t kMaxBuckets = 200;
/** Nodes that are asked at once. */
constexpr std::size_t kMaxAskedAtOnce = 16;

Error noAddress(const TierNode& node) {
  return {ErrorCode::kUnavailable,
          "nobody said where its admin service is; shiftctl ring add --admin tells it (" + node.id + ")"};
}

Result<NodeReport> interview(const TierNode& node, std::int64_t afterMs, bool withDetails) {
  if (node.voice == nullptr) {
    return noAddress(node);
  }
  Result<wire::NodeStatus> status = node.voice->status();
  if (!status) {
    return status.error();
  }
  auto history = node.voice->history(afterMs);
  if (!history) {
    return history.error();
  }
  NodeReport report{.status = *std::move(status), .history = *std::move(history), .details = {}};
  if (withDetails) {
    auto buckets = node.voice->buckets(kMaxBuckets);
    if (!buckets) {
      return buckets.error();
    }
    auto jobs = node.voice->trafficByJob();
    if (!jobs) {
      return jobs.error();
    }
    report.details = NodeDetails{*std::move(buckets), *std::move(jobs)};
  }
  return report;
}

/** The first node that answers tells which block it is. */
Result<wire::BlockPlace> locate(const std::vector<TierNode>& nodes, const std::string& path,
                                std::uint64_t offset, std::size_t& answering) {
  Error last{ErrorCode::kUnavailable, "the tier has no node yet"};
  for (answering = 0; answering < nodes.size(); ++answering) {
    const TierNode& node = nodes[answering];
    if (node.voice == nullptr) {
      last = noAddress(node);
      continue;
    }
    const Result<wire::NodeStatus> status = node.voice->status();
    if (status) {
      return node.voice->locate(std::string(store::withoutStore(path, status->store)), offset);
    }
    last = status.error();
  }
  return Error{last.code, "no node answers: " + last.message};
}

}  // namespace

void Monitor::poll() {
  const auto watched = watchedAt_.load();
  const bool withDetails = watched >= 0 && clock_.now().time_since_epoch() - Duration(watched) < kWatchedFor;
  const Result<TierView> view = tier_.look(withDetails);
  if (view) {
    const std::lock_guard lock(mutex_);
    view_ = *view;
  }
  const TierView seen = view ? *view : lastView();
  board_.adopt(seen, askAll(seen.nodes, withDetails), wallMilliseconds(clock_));
  if (!view) {
    board_.failed(view.error().message);
  }
}

std::vector<Result<NodeReport>> Monitor::askAll(const std::vector<TierNode>& nodes, bool withDetails) const {
  std::vector<Result<NodeReport>> answers(nodes.size(), Error{ErrorCode::kUnavailable, "not asked"});
  std::atomic<std::size_t> next = 0;
  const auto ask = [&] {
    for (std::size_t i = next++; i < nodes.size(); i = next++) {
      answers[i] = interview(nodes[i], board_.historyKnownUntil(nodes[i].id), withDetails);
    }
  };
  std::vector<std::future<void>> helpers;
  for (std::size_t i = 1; i < std::min(nodes.size(), kMaxAskedAtOnce); ++i) {
    helpers.push_back(std::async(std::launch::async, ask));
  }
  ask();
  for (std::future<void>& helper : helpers) {
    helper.get();
  }
  return answers;
}

void Monitor::watch() {
  watchedAt_ = clock_.now().time_since_epoch().count();
}

json Monitor::state(std::int64_t afterMs) const {
  return board_.state(afterMs, wallMilliseconds(clock_));
}

Result<json> Monitor::explain(const std::string& path, std::uint64_t offset, const std::string& job) const {
  const TierView view = lastView();
  std::size_t index = 0;
  Result<wire::BlockPlace> place = locate(view.nodes, path, offset, index);
  if (!place) {
    return place.error();
  }
  const BlockId block{static_cast<std::uint64_t>(place->blockIdHigh),
                      static_cast<std::uint64_t>(place->blockIdLow)};
  const ring::Member* const owner = view.ring == nullptr ? nullptr : view.ring->ownerOf(block);
  auto teller = view.nodes.begin() + static_cast<std::ptrdiff_t>(index);
  if (owner != nullptr) {
    teller = std::ranges::find(view.nodes, owner->id, &TierNode::id);
    if (teller == view.nodes.end() || teller->voice == nullptr) {
      return Error{ErrorCode::kUnavailable, "the block lives on " + owner->id + ", which cannot be asked"};
    }
    place = teller->voice->locate(place->path, offset);
    if (!place) {
      return Error{place.error().code, teller->id + ", where the block lives: " + place.error().message};
    }
  }
  const Result<wire::Explanation> explanation = teller->voice->explain(place->path, offset, job);
  if (!explanation) {
    return Error{explanation.error().code, teller->id + ": " + explanation.error().message};
  }
  json out = node::toJson(*explanation);
  out.update(node::toJson(*place));
  out["node"] = teller->id;
  return out;
}

TierView Monitor::lastView() const {
  const std::lock_guard lock(mutex_);
  return view_;
}

}  // namespace shift::dashboard
