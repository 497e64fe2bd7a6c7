#include "tools/sim/NodeModel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "blocks/Geometry.h"
#include "common/Counters.h"
#include "shift-node/engine/MemoryEngine.h"
#include "tests/unit/tools/sim/TraceFixture.h"
#include "tools/sim/Belady.h"

namespace shift::sim {
namespace {

/** What was decided about one request: hit, or the decision on the miss. */
struct Verdict {
  bool hit = false;
  bool admit = false;
  control::Reason reason = control::Reason::kAdmitAll;
  double score = 0;

  bool operator==(const Verdict&) const = default;
};

control::Parameters with(const std::string& policy) {
  control::Parameters parameters;
  parameters.policy = policy;
  return parameters;
}

std::vector<Verdict> simulate(const Trace& trace, const control::Parameters& parameters) {
  std::vector<Verdict> verdicts;
  NodeProbe probe;
  probe.onRequest = [&](const TraceEvent&, bool hit, const control::Decision* decision) {
    verdicts.push_back(decision == nullptr
                           ? Verdict{.hit = hit}
                           : Verdict{hit, decision->admit, decision->reason, decision->score});
  };
  runNode(trace, parameters, probe);
  return verdicts;
}

/** A node in small: the real engine with real memory, driven through its own interface. */
class RealNode {
 public:
  RealNode(const Trace& trace, const control::Parameters& parameters)
      : trace_(trace),
        plane_(parameters, {.blockSize = trace.blockSize,
                            .segmentSize = trace.segmentSize,
                            .owns = [](const BlockId& id) { return ownedByFirst(id, 2); }}),
        engine_({.capacityBytes = trace.flashBytes + trace.dramBytes}, counters_) {}

  std::vector<Verdict> run() {
    std::vector<Verdict> verdicts;
    for (const TraceEvent& event : trace_.events) {
      tick(event.time);
      verdicts.push_back(get(event));
    }
    return verdicts;
  }

 private:
  static TimePoint timeOf(double seconds) {
    return TimePoint(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1000 + seconds)));
  }

  void tick(double time) {
    // A node's periodic tasks: GMS changes, rescoring each second, a refresh each ten.
    for (double next = nextTick(); next <= time; next = nextTick()) {
      bool jobsChanged = false;
      for (const TraceJob& job : trace_.jobs) {
        for (const bool ends : {false, true}) {
          if ((ends ? job.ends : job.begins) == next && done_.insert({job.name, ends}).second) {
            control::JobSpec spec = job.spec;
            spec.state = ends ? control::JobState::kFinished : control::JobState::kRunning;
            plane_.applySpecs({&spec, 1}, timeOf(next));
            list(next);
            jobsChanged = true;
          }
        }
      }
      if (jobsChanged) {
        continue;
      }
      if (next == refresh_) {
        setScores(plane_.refresh(timeOf(next)));
        refresh_ += 10;
      } else {
        setScores(plane_.rescore(timeOf(next)));
        rescore_ += 1;
      }
    }
  }

  double nextTick() const {
    double next = std::min(refresh_, rescore_);
    for (const TraceJob& job : trace_.jobs) {
      for (const bool ends : {false, true}) {
        const double time = ends ? job.ends : job.begins;
        next = done_.contains({job.name, ends}) ? next : std::min(next, time);
      }
    }
    return next;
  }

  void list(double time) {
    for (const std::string& directory : plane_.wantedListings()) {
      const auto partition = std::ranges::find(trace_.partitions, directory, &TracePartition::directory);
      plane_.setListing(directory, partition->files, timeOf(time));
    }
  }

  void setScores(const std::vector<control::ScoreChange>& changes) {
    std::vector<node::GroupScore> scores;
    for (const control::ScoreChange& change : changes) {
      scores.push_back({change.group, change.score});
    }
    engine_.setScores(scores);
  }

  Verdict get(const TraceEvent& event) {
    control::ReadRequest request = trace_.blocks[event.block];
    request.job = trace_.jobs[event.job].name;
    request.offset = event.offset;
    request.length = event.length;
    plane_.record(request, timeOf(event.time));
    std::vector<SegmentKey> keys;
    for (const SegmentSlice& slice : cutIntoSegments(event.offset, event.length, trace_.segmentSize)) {
      keys.push_back({request.block, slice.segment});
    }
    std::vector<SegmentKey> missing;
    engine_.lookup(keys, node::Check::kOnce, [&](std::vector<node::SegmentRef> found) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!found[i]) {
          missing.push_back(keys[i]);
        }
      }
    });
    if (missing.empty()) {
      return {.hit = true};
    }
    const control::Decision decision = plane_.decide(request, engine_.evictionFloor(), timeOf(event.time));
    if (decision.admit) {
      for (const SegmentKey& key : missing) {
        const std::uint32_t bytes = segmentLength(trace_.blockSize, key.segment, trace_.segmentSize);
        engine_.insert(key, {anyBytes_, bytes, 0}, decision.score);
        plane_.recordWrite(bytes, 0);
      }
    }
    return {false, decision.admit, decision.reason, decision.score};
  }

  const Trace& trace_;
  const std::shared_ptr<std::byte> anyBytes_ = node::allocateSegment(trace_.segmentSize);
  CounterRegistry counters_;
  control::ControlPlane plane_;
  node::MemoryEngine engine_;
  double refresh_ = 0;
  double rescore_ = 1;
  std::set<std::pair<std::string, bool>> done_;
};

TEST(NodeModel, DecidesAsANodeDoes) {
  const Trace trace = generate(smallWorkload(), smallOptions());
  for (const char* policy : {"historic", "future", "hybrid", "planned"}) {
    const std::vector<Verdict> simulated = simulate(trace, with(policy));
    const std::vector<Verdict> real = RealNode(trace, with(policy)).run();
    ASSERT_EQ(simulated.size(), real.size());
    for (std::size_t i = 0; i < real.size(); ++i) {
      ASSERT_EQ(simulated[i], real[i]) << policy << ", request " << i;
    }
    EXPECT_TRUE(std::ranges::any_of(real, &Verdict::admit)) << policy;
  }
}

TEST(NodeModel, DoesNotSeeHowTheGeneratorNumbersJobsAndPartitions) {
  const Workload workload = smallWorkload();
  Workload permuted = workload;
  std::ranges::reverse(permuted.jobs);
  const Trace trace = generate(workload, smallOptions());
  Trace other = generate(permuted, smallOptions());
  // Partitions and blocks are numbered otherwise as well; only names and times are left to go by.
  std::ranges::reverse(other.partitions);
  const auto last = static_cast<std::uint32_t>(other.blocks.size() - 1);
  std::ranges::reverse(other.blocks);
  for (TraceEvent& event : other.events) {
    event.block = last - event.block;
  }
  for (const char* policy : {"historic", "future", "hybrid", "planned"}) {
    const auto keyed = [&](const Trace& which) {
      std::map<std::tuple<double, std::string, BlockId>, Verdict> verdicts;
      NodeProbe probe;
      probe.onRequest = [&](const TraceEvent& event, bool hit, const control::Decision* decision) {
        Verdict verdict{.hit = hit};
        if (decision != nullptr) {
          verdict = {hit, decision->admit, decision->reason, decision->score};
        }
        verdicts[{event.time, which.jobs[event.job].name, which.blocks[event.block].block}] = verdict;
      };
      runNode(which, with(policy), probe);
      return verdicts;
    };
    EXPECT_EQ(keyed(trace), keyed(other)) << policy;
  }
}

TEST(NodeModel, PlannedComesCloseToBeladyWhenTheOrderIsKnown) {
  const Trace trace = generate(smallWorkload(), smallOptions());
  EXPECT_GE(runNode(trace, with("planned")).absorbedBytes(), 0.95 * runBelady(trace).absorbedBytes());
}

TEST(NodeModel, CountsWhatItFetchesAgainstWhatItServes) {
  const Trace trace = generate(smallWorkload(), smallOptions());
  const Outcome outcome = runNode(trace, with("future"));
  EXPECT_LE(outcome.fetchedBytes, outcome.servedBytes);
  EXPECT_LE(outcome.servedBytes, outcome.readBytes);
  EXPECT_EQ(outcome.writtenBytes, outcome.fetchedBytes);
  EXPECT_EQ(outcome.requests, trace.events.size());
}

}  // namespace
}  // namespace shift::sim
