#include "tools/sim/NodeModel.h"

#include <algorithm>
#include <unordered_map>

#include "blocks/Geometry.h"
#include "tools/sim/EngineModel.h"

namespace shift::sim {

namespace {

constexpr double kRescoreSeconds = 1;
/** The clock of a run begins here: a node's clock does not begin at zero either. */
constexpr double kEpochSeconds = 1000;

TimePoint timeOf(double seconds) {
  return TimePoint(
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(kEpochSeconds + seconds)));
}

class Node {
 public:
  Node(const Trace& trace, const control::Parameters& parameters, const NodeProbe& probe)
      : trace_(trace),
        probe_(probe),
        refreshSeconds_(std::chrono::duration<double>(parameters.bucketRefreshTime).count()),
        plane_(parameters,
               {.blockSize = trace.blockSize,
                .segmentSize = trace.segmentSize,
                .owns = [nodes = trace.nodes](const BlockId& id) { return ownedByFirst(id, nodes); }}),
        engine_(trace.flashBytes + trace.dramBytes, static_cast<std::uint32_t>(trace.blocks.size()),
                trace.segmentsPerBlock(), evictionHook(parameters)) {
    for (std::uint32_t i = 0; i < trace.blocks.size(); ++i) {
      numberOf_.emplace(trace.blocks[i].block, i);
    }
    for (std::uint32_t i = 0; i < trace.jobs.size(); ++i) {
      changes_.push_back({trace.jobs[i].begins, i, false});
      changes_.push_back({trace.jobs[i].ends, i, true});
    }
    std::ranges::stable_sort(changes_, {}, &JobChange::time);
  }

  Outcome run(const Meter& meter) {
    outcome_.countFrom = trace_.warmUpSeconds;
    outcome_.seconds = trace_.seconds - trace_.warmUpSeconds;
    playEvents(trace_, meter, [this](const TraceEvent& event) {
      passTimeUntil(event.time);
      read(event);
    });
    return outcome_;
  }

 private:
  struct JobChange {
    double time = 0;
    std::uint32_t job = 0;
    bool ends = false;
  };

  std::function<bool(std::uint32_t)> evictionHook(const control::Parameters& parameters) {
    if (!parameters.reinsertion) {
      return {};
    }
    return [this](std::uint32_t block) { return plane_.reinsert(trace_.blocks[block].block, timeOf(now_)); };
  }

  void passTimeUntil(double time) {
    for (;;) {
      const double jobChange = nextChange_ < changes_.size() ? changes_[nextChange_].time : time + 1;
      const double next = std::min({jobChange, nextRescore_, nextRefresh_});
      if (next > time) {
        break;
      }
      now_ = next;
      if (next == jobChange) {
        applyJobChange(changes_[nextChange_++]);
      } else if (next == nextRefresh_) {
        refresh();
        nextRefresh_ += refreshSeconds_;
      } else {
        reportWrites();
        apply(plane_.rescore(timeOf(now_)));
        nextRescore_ += kRescoreSeconds;
      }
    }
    now_ = time;
  }

  void applyJobChange(const JobChange& change) {
    const TraceJob& job = trace_.jobs[change.job];
    if (!job.announced) {
      return;
    }
    control::JobSpec spec = job.spec;
    spec.state = change.ends ? control::JobState::kFinished : control::JobState::kRunning;
    plane_.applySpecs({&spec, 1}, timeOf(now_));
    for (const std::string& directory : plane_.wantedListings()) {
      const auto partition = std::ranges::find(trace_.partitions, directory, &TracePartition::directory);
      plane_.setListing(directory, partition->files, timeOf(now_));
    }
  }

  void refresh() {
    reportWrites();
    apply(plane_.refresh(timeOf(now_)));
    if (probe_.onRefresh) {
      probe_.onRefresh(now_, plane_.thresholds(), writtenSinceRefresh_);
    }
    writtenSinceRefresh_ = 0;
  }

  void reportWrites() {
    const std::uint64_t reinserted = engine_.reinsertedBytes() - reportedReinserted_;
    plane_.recordWrite(admittedBytes_, reinserted);
    writtenSinceRefresh_ += admittedBytes_ + reinserted;
    admittedBytes_ = 0;
    reportedReinserted_ = engine_.reinsertedBytes();
  }

  void apply(const std::vector<control::ScoreChange>& scores) {
    for (const control::ScoreChange& change : scores) {
      if (const auto block = numberOf_.find(change.group); block != numberOf_.end()) {
        engine_.setScore(block->second, change.score);
      }
    }
  }

  void read(const TraceEvent& event) {
    control::ReadRequest& request = request_;
    if (event.block != requestBlock_) {
      request = trace_.blocks[event.block];
      requestBlock_ = event.block;
    }
    request.job = trace_.jobs[event.job].name;
    request.offset = event.offset;
    request.length = event.length;
    const TimePoint now = timeOf(event.time);
    plane_.record(request, now);
    Served served{.time = event.time, .length = event.length};

    const std::uint32_t first = event.offset / trace_.segmentSize;
    const std::uint32_t last = (event.offset + event.length - 1) / trace_.segmentSize;
    missing_.clear();
    std::uint32_t missedBytes = 0;
    for (std::uint32_t segment = first; segment <= last; ++segment) {
      if (engine_.contains(event.block, segment)) {
        engine_.touch(event.block, segment);
      } else {
        missing_.push_back(segment);
        missedBytes += bytesOfSegment(event, segment, trace_.segmentSize);
      }
    }
    served.hit = missing_.empty();
    if (served.hit) {
      served.servedBytes = event.length;
      outcome_.add(served);
      report(event, true, nullptr);
      return;
    }
    const control::Decision decision = plane_.decide(request, engine_.evictionFloor(), now);
    if (decision.admit) {
      served.servedBytes = event.length;
      served.filledBytes = missedBytes;
      served.fetchedBytes = fill(event, decision);
    }
    outcome_.add(served);
    report(event, false, &decision);
  }

  /** Returns what was fetched. */
  std::uint64_t fill(const TraceEvent& event, const control::Decision& decision) {
    std::uint64_t fetched = 0;
    const std::uint64_t reinsertedBefore = engine_.reinsertedBytes();
    for (const std::uint32_t segment : missing_) {
      const std::uint32_t bytes = segmentLength(trace_.blockSize, segment, trace_.segmentSize);
      fetched += bytes;
      if (engine_.insert(event.block, segment, bytes, decision.score)) {
        admittedBytes_ += bytes;
        outcome_.addWrite(event.time, bytes);
      }
    }
    const std::uint64_t reinserted = engine_.reinsertedBytes() - reinsertedBefore;
    outcome_.addWrite(event.time, reinserted);
    outcome_.reinsertedBytes += outcome_.counts(event.time) ? reinserted : 0;
    return fetched;
  }

  void report(const TraceEvent& event, bool hit, const control::Decision* decision) const {
    if (probe_.onRequest) {
      probe_.onRequest(event, hit, decision);
    }
  }

  const Trace& trace_;
  const NodeProbe& probe_;
  const double refreshSeconds_;
  control::ControlPlane plane_;
  EngineModel engine_;
  std::unordered_map<BlockId, std::uint32_t> numberOf_;
  std::vector<JobChange> changes_;
  std::size_t nextChange_ = 0;
  double nextRescore_ = kRescoreSeconds;
  double nextRefresh_ = 0;
  double now_ = 0;
  std::uint64_t admittedBytes_ = 0;
  std::uint64_t reportedReinserted_ = 0;
  std::uint64_t writtenSinceRefresh_ = 0;
  control::ReadRequest request_;
  std::uint32_t requestBlock_ = ~0U;
  std::vector<std::uint32_t> missing_;
  Outcome outcome_;
};

}  // namespace

Outcome runNode(const Trace& trace, const control::Parameters& parameters, const NodeProbe& probe,
                const Meter& meter) {
  return Node(trace, parameters, probe).run(meter);
}

}  // namespace shift::sim
