#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dashboard/Tier.h"

namespace shift::dashboard {

/** Sums since a node's start, at one time. */
inline wire::HistoryPoint pointAt(std::int64_t atMs, std::int64_t served, std::int64_t fetched = 0,
                                  std::int64_t written = 0) {
  wire::HistoryPoint point;
  point.atMs = atMs;
  point.total.requestedBytes = served;
  point.total.servedBytes = served;
  point.total.fetchedBytes = fetched;
  point.total.admittedBytes = written;
  return point;
}

inline wire::BucketView bucketOf(const std::string& name, std::int64_t requests,
                                 const std::string& decision) {
  wire::BucketView bucket;
  bucket.traffic.name = name;
  bucket.traffic.requests = requests;
  bucket.traffic.servedBytes = requests * 10;
  bucket.decision = decision;
  return bucket;
}

/** A node that says what the test put into it, or nothing. */
class FakeNode final : public NodeVoice {
 public:
  explicit FakeNode(const std::string& id) {
    said.id = id;
    said.store = "warehouse";
  }

  Result<wire::NodeStatus> status() override { return orSilence(said); }
  Result<std::vector<wire::HistoryPoint>> history(std::int64_t afterMs) override {
    historyAskedAfter = afterMs;
    return orSilence(points);
  }
  Result<std::vector<wire::BucketView>> buckets(std::int32_t) override {
    ++timesAskedForDetails;
    return orSilence(bucketViews);
  }
  Result<std::vector<wire::Traffic>> trafficByJob() override { return orSilence(jobs); }
  Result<wire::BlockPlace> locate(const std::string& path, std::uint64_t) override {
    wire::BlockPlace place;
    place.path = path;
    place.blockIdHigh = 1;
    return orSilence(place);
  }
  Result<wire::Explanation> explain(const std::string&, std::uint64_t, const std::string& job) override {
    wire::Explanation explanation;
    explanation.words = said.id + " says so to " + job;
    return orSilence(explanation);
  }

  bool isDown = false;
  wire::NodeStatus said;
  std::vector<wire::HistoryPoint> points;
  std::vector<wire::BucketView> bucketViews;
  std::vector<wire::Traffic> jobs;
  std::int64_t historyAskedAfter = -1;
  int timesAskedForDetails = 0;

 private:
  template <typename T>
  Result<T> orSilence(const T& value) const {
    return isDown ? Result<T>(Error{ErrorCode::kUnavailable, said.id + " is silent"}) : Result<T>(value);
  }
};

/** A tier of such nodes. */
class FakeTier final : public Tier {
 public:
  Result<TierView> look(bool withJobs) override {
    if (!fault.empty()) {
      return Error{ErrorCode::kUnavailable, fault};
    }
    return TierView{.nodes = nodes, .jobs = withJobs ? jobs : std::vector<TierJob>(), .ring = ring};
  }

  std::shared_ptr<FakeNode> add(const std::string& id) {
    auto node = std::make_shared<FakeNode>(id);
    nodes.push_back({.id = id, .voice = node});
    return node;
  }

  std::string fault;
  std::vector<TierNode> nodes;
  std::vector<TierJob> jobs;
  std::shared_ptr<const ring::Ring> ring;
};

}  // namespace shift::dashboard
