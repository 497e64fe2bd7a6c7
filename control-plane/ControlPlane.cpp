#include "control-plane/ControlPlane.h"

#include <cmath>
#include <numeric>

#include "common/ConfigSchema.h"
#include "control-plane/BucketKey.h"
#include "control-plane/Hash.h"

namespace shift::control {

namespace {

/** What a block is taken to wait while there is room. Any value does: the tuner moves the horizon about it.
 */
constexpr double kUnhurriedSeconds = 600;
/** These policies leave the order of eviction to recency, as the paper does. */
constexpr double kOneScore = 0;

double secondsOf(TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

Ownership ownsOrAll(Ownership owns) {
  return owns ? std::move(owns) : [](const BlockId&) { return true; };
}

/** The bucket that a directory of a spec stands for, by the mapping in force. */
BucketId bucketOfDirectory(const SegmentMapper& mapper, std::string_view directory) {
  if (mapper.mapping() != Mapping::kTable) {
    return bucketIdOf(directory);
  }
  const std::size_t colon = directory.find(':');
  ReadRequest request;
  request.store = directory.substr(0, colon);
  request.path = std::string(directory.substr(colon + 1)) + "/file";
  return mapper.bucketOf(request);
}

}  // namespace

ControlPlane::ControlPlane(const Parameters& parameters, NodeFacts facts)
    : facts_(std::move(facts)), plan_(facts_.blockSize, ownsOrAll(facts_.owns)) {
  if (std::vector<std::string> faults = faultsOf(parameters); !faults.empty()) {
    throw ConfigError(std::move(faults));
  }
  adopt(parameters);
}

ControlPlane::~ControlPlane() = default;

void ControlPlane::record(const ReadRequest& request, TimePoint now) {
  std::shared_lock lock(rulesMutex_);
  rules_->history->record(request, rules_->mapper.bucketOf(request), rules_->mapper, now);
  plan_.record(request, secondsOf(now));
}

Decision ControlPlane::decide(const ReadRequest& request, double evictionFloor, TimePoint now) {
  std::shared_lock lock(rulesMutex_);
  const Decision decision = rules_->policy->plansBlocks
                                ? decideByPlan(request.block, evictionFloor, secondsOf(now))
                                : decideByBucket(request);
  if (decision.admit && rules_->parameters.reinsertion && !rules_->policy->plansBlocks) {
    GroupShard& shard = groups_[request.block.low % kGroupShards];
    std::lock_guard groups(shard.mutex);
    if (shard.bucketOf.size() >= kGroupsPerShard) {
      shard.bucketOf.clear();  // those forgotten are evicted rather than reinserted, no worse
    }
    shard.bucketOf[request.block] = rules_->mapper.bucketOf(request);
  }
  return decision;
}

bool ControlPlane::reinsert(const BlockId& group, TimePoint now) {
  std::shared_lock lock(rulesMutex_);
  if (!rules_->parameters.reinsertion || rules_->policy->admitsAll) {
    return false;
  }
  if (rules_->policy->plansBlocks) {
    const NextUse next = plan_.nextUse(group, secondsOf(now));
    return next.known && isWorthAWrite(group, next, next.time - secondsOf(now));
  }
  GroupShard& shard = groups_[group.low % kGroupShards];
  std::lock_guard groups(shard.mutex);
  const auto entry = shard.bucketOf.find(group);
  return entry != shard.bucketOf.end() &&
         rules_->table->find(entry->second, 0) > reinsertThreshold_.load(std::memory_order_relaxed);
}

void ControlPlane::recordWrite(std::uint64_t admittedBytes, std::uint64_t reinsertedBytes) {
  std::shared_lock lock(rulesMutex_);
  rules_->history->recordWrite(admittedBytes, reinsertedBytes);
}

std::vector<ScoreChange> ControlPlane::refresh(TimePoint now) {
  std::lock_guard refreshing(refreshMutex_);
  std::shared_lock lock(rulesMutex_);
  tune(now);
  std::vector<ScoreChange> changes = plan_.refresh(secondsOf(now));
  assignPriorities(now);
  if (!rules_->policy->plansBlocks) {
    changes.clear();
  }
  return changes;
}

std::vector<ScoreChange> ControlPlane::rescore(TimePoint now) {
  std::lock_guard refreshing(refreshMutex_);
  std::shared_lock lock(rulesMutex_);
  tune(now);
  std::vector<ScoreChange> touched = plan_.takeTouched();
  if (!rules_->policy->plansBlocks) {
    touched.clear();
  }
  return touched;
}

void ControlPlane::applySpecs(std::span<const JobSpec> specs, TimePoint now) {
  plan_.applySpecs(specs, secondsOf(now));
}

std::vector<std::string> ControlPlane::wantedListings() const {
  return plan_.wantedListings();
}

void ControlPlane::setListing(const std::string& directory, std::span<const ListedFile> files,
                              TimePoint now) {
  plan_.setListing(directory, files, secondsOf(now));
}

void ControlPlane::setOwnership(Ownership owns) {
  plan_.setOwnership(ownsOrAll(std::move(owns)));
}

void ControlPlane::finishedReading(const std::string& job, const std::string& directory) {
  plan_.finishedReading(job, directory);
}

Parameters ControlPlane::parameters() const {
  std::shared_lock lock(rulesMutex_);
  return rules_->parameters;
}

Status ControlPlane::setParameters(const Parameters& parameters, TimePoint now) {
  const std::vector<std::string> faults = faultsOf(parameters);
  if (!faults.empty()) {
    const std::string all = std::accumulate(
        std::next(faults.begin()), faults.end(), faults.front(),
        [](const std::string& left, const std::string& right) { return left + "; " + right; });
    return Error{ErrorCode::kInvalidArgument, all};
  }
  std::lock_guard refreshing(refreshMutex_);
  {
    std::unique_lock lock(rulesMutex_);
    adopt(parameters);
  }
  std::shared_lock lock(rulesMutex_);
  assignPriorities(now);
  return {};
}

Thresholds ControlPlane::thresholds() const {
  return {.admit = admitThreshold_.load(std::memory_order_relaxed),
          .reinsert = reinsertThreshold_.load(std::memory_order_relaxed),
          .horizonSeconds = horizonSeconds_.load(std::memory_order_relaxed)};
}

double ControlPlane::scoreOf(const BlockId& block, TimePoint now) const {
  std::shared_lock lock(rulesMutex_);
  return rules_->policy->plansBlocks ? -plan_.nextUse(block, secondsOf(now)).time : kOneScore;
}

BucketDescription ControlPlane::describe(const std::string& directory) const {
  std::lock_guard refreshing(refreshMutex_);
  std::shared_lock lock(rulesMutex_);
  const BucketId id = bucketOfDirectory(rules_->mapper, directory);
  const BucketFacts facts = presentFacts(id);
  BucketDescription description{.facts = facts,
                                .historic = historicPriority(facts),
                                .future = futurePriority(facts),
                                .hybrid = hybridPriority(facts),
                                .priority = rules_->policy->priority(facts)};
  if (!rules_->policy->plansBlocks) {
    description.admits = rules_->policy->admitsAll || isAboveThreshold(id);
  }
  return description;
}

Explanation ControlPlane::explain(const ReadRequest& request, double evictionFloor, TimePoint now) const {
  std::lock_guard refreshing(refreshMutex_);
  std::shared_lock lock(rulesMutex_);
  const BucketId bucket = rules_->mapper.bucketOf(request);
  const BucketFacts facts = presentFacts(bucket);
  const NextUse next = plan_.nextUse(request.block, secondsOf(now));
  return {.policy = rules_->parameters.policy,
          .bucket = rules_->mapper.keyOf(request),
          .totalBytes = facts.totalBytes,
          .uniqueBytes = facts.uniqueBytes,
          .historic = historicPriority(facts),
          .future = futurePriority(facts),
          .hybrid = hybridPriority(facts),
          .priority = rules_->policy->priority(facts),
          .thresholds = thresholds(),
          .evictionFloor = evictionFloor,
          .secondsToNextUse = next.time - secondsOf(now),
          .knownReaders = next.uses,
          .nextUseIsGuess = !next.known,
          .decision = rules_->policy->plansBlocks ? decideByPlan(request.block, evictionFloor, secondsOf(now))
                                                  : decideByBucket(request)};
}

void ControlPlane::adopt(const Parameters& parameters) {
  const HistoryConfig history{.window = parameters.historyWindow,
                              .steps = parameters.historySteps,
                              .maxBuckets = parameters.maxBuckets,
                              .segmentSize = facts_.segmentSize};
  const bool keepsHistory = rules_ != nullptr && rules_->parameters.mapping == parameters.mapping &&
                            rules_->parameters.tablePattern == parameters.tablePattern &&
                            rules_->parameters.rangeBytes == parameters.rangeBytes &&
                            rules_->parameters.historyWindow == parameters.historyWindow &&
                            rules_->parameters.historySteps == parameters.historySteps &&
                            rules_->parameters.maxBuckets == parameters.maxBuckets;
  auto rules = std::make_unique<Rules>(
      Rules{.parameters = parameters,
            .policy = findPolicy(parameters.policy),
            .mapper = SegmentMapper(parameters),
            .history = keepsHistory ? rules_->history : std::make_shared<RequestHistory>(history),
            .table = std::make_unique<AdmissionTable>()});
  if (!keepsHistory) {
    histories_.clear();
    futureJobs_.clear();
  }
  rules_ = std::move(rules);
  plan_.setOptions({.windowSeconds = std::chrono::duration<double>(parameters.historyWindow).count(),
                    .refreshSeconds = std::chrono::duration<double>(parameters.bucketRefreshTime).count(),
                    .countAnnounced = parameters.countAnnounced,
                    .scoring = rules_->policy->plansBlocks});
  if (tuner_ == nullptr || !tuner_->suits(parameters)) {
    tuner_ = std::make_unique<ThresholdTuner>(parameters);
  }
  publish(*tuner_);
  assignAll_ = true;
}

Decision ControlPlane::decideByPlan(const BlockId& block, double evictionFloor, double now) const {
  const NextUse next = plan_.nextUse(block, now);
  Decision decision{.admit = false, .group = block, .score = -next.time, .reason = Reason::kUsedTooLate};
  // While there is room a block takes nobody's place, however long it waits: only its readers count.
  const double wait = std::isinf(evictionFloor) ? kUnhurriedSeconds : next.time - now;
  if (!isWorthAWrite(block, next, wait)) {
    decision.reason = Reason::kBeyondHorizon;
  } else if (decision.score > evictionFloor) {
    decision.admit = true;
    decision.reason = next.known ? Reason::kUsedSoon : Reason::kRoomLeft;
  }
  return decision;
}

bool ControlPlane::isWorthAWrite(const BlockId& block, const NextUse& next, double wait) const {
  const double horizon = horizonSeconds_.load(std::memory_order_relaxed);
  if (std::isinf(horizon)) {
    return true;
  }
  // Blocks that are read one after the other wait about equally long. Spread over a factor of four, so that
  // the horizon lets some of them in, rather than all or none. A write that serves more readers may wait
  // longer.
  const double dither = std::exp2(static_cast<double>(spreadBits(block.high) >> 11) * 0x1p-52 - 1);
  return next.known && wait <= horizon * next.uses * dither;
}

bool ControlPlane::isAboveThreshold(BucketId bucket) const {
  // A bucket seen for the first time has been read once so far, by all that is known.
  return rules_->table->find(bucket, 1) > admitThreshold_.load(std::memory_order_relaxed);
}

Decision ControlPlane::decideByBucket(const ReadRequest& request) const {
  if (rules_->policy->admitsAll) {
    return {.admit = true, .group = request.block, .score = kOneScore, .reason = Reason::kAdmitAll};
  }
  const bool admit = isAboveThreshold(rules_->mapper.bucketOf(request));
  return {.admit = admit,
          .group = request.block,
          .score = kOneScore,
          .reason = admit ? Reason::kAboveThreshold : Reason::kBelowThreshold};
}

void ControlPlane::tune(TimePoint now) {
  if (lastTuned_.has_value() && now > *lastTuned_) {
    const RequestHistory::Written written = rules_->history->takeWritten();
    const double dt = std::chrono::duration<double>(now - *lastTuned_).count();
    tuner_->step(static_cast<double>(written.admittedBytes + written.reinsertedBytes) / dt, dt);
    publish(*tuner_);
  }
  lastTuned_ = lastTuned_.has_value() ? std::max(*lastTuned_, now) : now;
}

void ControlPlane::assignPriorities(TimePoint now) {
  std::vector<BucketId> forgotten;
  std::unordered_set<BucketId> changed;
  for (BucketHistory& history : rules_->history->takeChanged(now, forgotten)) {
    changed.insert(history.id);
    histories_[history.id] = std::move(history);
  }
  for (const BucketId bucket : forgotten) {
    histories_.erase(bucket);
  }
  countFutureJobs(now, changed);
  if (assignAll_) {
    for (const auto& [bucket, history] : histories_) {
      changed.insert(bucket);
    }
    for (const auto& [bucket, jobs] : futureJobs_) {
      changed.insert(bucket);
    }
  }
  assignAll_ = false;
  std::erase_if(forgotten, [&](BucketId bucket) { return futureJobs_.contains(bucket); });
  std::vector<AdmissionTable::Entry> entries;
  entries.reserve(changed.size());
  for (const BucketId bucket : changed) {
    if (histories_.contains(bucket) || futureJobs_.contains(bucket)) {
      entries.push_back({bucket, rules_->policy->priority(factsOf(bucket))});
    } else {
      forgotten.push_back(bucket);
    }
  }
  rules_->table->update(entries, forgotten);
}

void ControlPlane::countFutureJobs(TimePoint now, std::unordered_set<BucketId>& changed) {
  std::unordered_map<BucketId, unsigned> counts;
  std::string_view job;
  bool active = false;
  std::unordered_set<BucketId> counted;  // by the present job: two directories may be one bucket
  plan_.forEachPending([&](const ReadPlan::PendingRead& pending) {
    if (pending.job.data() != job.data()) {
      job = pending.job;
      active = rules_->history->isActive(std::string(job), now);
      counted.clear();
    }
    const BucketId bucket = bucketOfDirectory(rules_->mapper, pending.directory);
    if (active && counted.insert(bucket).second) {
      ++counts[bucket];
    }
  });
  const bool perDirectory =
      rules_->mapper.mapping() == Mapping::kDirectory || rules_->mapper.mapping() == Mapping::kTable;
  if (!perDirectory) {
    // Files and ranges are many to a directory: those seen get the count of their directory.
    std::unordered_map<BucketId, unsigned> perBucket;
    for (const auto& [bucket, history] : histories_) {
      if (const auto count = counts.find(bucketIdOf(history.directory)); count != counts.end()) {
        perBucket[bucket] = count->second;
      }
    }
    counts.swap(perBucket);
  }
  for (const auto& [bucket, count] : counts) {
    if (const auto old = futureJobs_.find(bucket); old == futureJobs_.end() || old->second != count) {
      changed.insert(bucket);
    }
  }
  for (const auto& [bucket, count] : futureJobs_) {
    if (!counts.contains(bucket)) {
      changed.insert(bucket);
    }
  }
  futureJobs_.swap(counts);
}

BucketFacts ControlPlane::presentFacts(BucketId bucket) const {
  BucketFacts facts = factsOf(bucket);
  if (const auto history = rules_->history->find(bucket)) {
    facts.totalBytes = history->totalBytes;
    facts.uniqueBytes = history->uniqueBytes;
  }
  return facts;
}

BucketFacts ControlPlane::factsOf(BucketId bucket) const {
  BucketFacts facts;
  if (const auto history = histories_.find(bucket); history != histories_.end()) {
    facts.totalBytes = history->second.totalBytes;
    facts.uniqueBytes = history->second.uniqueBytes;
  }
  if (const auto future = futureJobs_.find(bucket); future != futureJobs_.end()) {
    facts.futureJobs = future->second;
  }
  return facts;
}

ThresholdTuner::State ControlPlane::tuning() const {
  std::lock_guard lock(tuningMutex_);
  return tuning_;
}

void ControlPlane::publish(const ThresholdTuner& tuner) {
  const Thresholds thresholds = tuner.thresholds();
  admitThreshold_.store(thresholds.admit, std::memory_order_relaxed);
  reinsertThreshold_.store(thresholds.reinsert, std::memory_order_relaxed);
  horizonSeconds_.store(thresholds.horizonSeconds, std::memory_order_relaxed);
  std::lock_guard lock(tuningMutex_);
  tuning_ = tuner.state();
}

}  // namespace shift::control
