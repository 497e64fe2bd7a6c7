#include "shift-node/control/ControlLoop.h"

#include <set>

#include "common/Log.h"

namespace shift::node {
namespace {

using std::chrono::milliseconds;

constexpr Duration kRescoreEvery = milliseconds(1000);
constexpr Duration kFollowEvery = milliseconds(500);

}  // namespace

ControlLoop::ControlLoop(const Parts& parts) : parts_(parts), scoredBy_(parts.plane.parameters().policy) {}

void ControlLoop::start() {
  repace();
  tasks_.push_back(std::make_unique<PeriodicTask>(kRescoreEvery, [this] { rescore(); }));
  if (parts_.gms != nullptr) {
    tasks_.push_back(std::make_unique<PeriodicTask>(kFollowEvery, [this] { follow(); }));
  }
}

void ControlLoop::parametersChanged() {
  std::lock_guard lock(changeMutex_);
  repace();
  if (const std::string policy = parts_.plane.parameters().policy; policy != scoredBy_) {
    scoredBy_ = policy;
    rescoreAll();
  }
}

void ControlLoop::repace() {
  refreshTask_.reset();  // waits for a refresh under way
  refreshTask_ =
      std::make_unique<PeriodicTask>(parts_.plane.parameters().bucketRefreshTime, [this] { refresh(); });
}

/** Policies score on scales of their own: what was held before one came must be put on its scale. */
void ControlLoop::rescoreAll() {
  for (std::size_t part = 0; part < parts_.engine.keyParts(); ++part) {
    std::set<BlockId> blocks;
    for (const SegmentKey& key : parts_.engine.keysIn(part)) {
      blocks.insert(key.block);
    }
    std::vector<GroupScore> scores;
    scores.reserve(blocks.size());
    for (const BlockId& block : blocks) {
      scores.push_back({block, parts_.plane.scoreOf(block, parts_.clock.now())});
    }
    parts_.engine.setScores(scores);
  }
}

void ControlLoop::refresh() {
  reportWrites();
  setScores(parts_.plane.refresh(parts_.clock.now()));
}

void ControlLoop::rescore() {
  reportWrites();
  setScores(parts_.plane.rescore(parts_.clock.now()));
}

void ControlLoop::follow() {
  const SpecNews news = parts_.gms->follow();
  if (!news.specs.empty()) {
    parts_.plane.applySpecs(news.specs, parts_.clock.now());
  }
  for (const SpecNews::Finished& finished : news.finished) {
    parts_.plane.finishedReading(finished.job, finished.bucket);
  }
  adoptParameters();
  if (auto owns = parts_.gms->takeOwnership()) {
    parts_.plane.setOwnership(*std::move(owns));
  }
  listWanted();
}

void ControlLoop::adoptParameters() {
  const auto given = parts_.gms->takeParameters();
  if (!given) {
    return;
  }
  for (const std::string& fault : parts_.adoptParameters(*given)) {
    logWarning("the GMS's parameters are not used, because of " + fault);
  }
}

void ControlLoop::listWanted() {
  for (const std::string& bucket : parts_.plane.wantedListings()) {
    const std::string prefix = parts_.store.name() + ":";
    if (!bucket.starts_with(prefix)) {
      continue;  // another store's: another tier's business
    }
    if (const auto known = parts_.gms->filesByManifest(bucket)) {
      parts_.plane.setListing(bucket, *known, parts_.clock.now());
      continue;
    }
    const auto listed = parts_.store.list(bucket.substr(prefix.size()));
    if (!listed) {
      logWarning("cannot list a partition that a job announced: " + listed.error().message);
    }
    std::vector<control::ListedFile> files;
    for (const store::ListedFile& file : listed ? *listed : std::vector<store::ListedFile>()) {
      files.push_back({.path = file.path, .version = file.info.version, .size = file.info.size});
    }
    parts_.plane.setListing(bucket, files, parts_.clock.now());
  }
}

void ControlLoop::setScores(const std::vector<control::ScoreChange>& changes) {
  std::vector<GroupScore> scores;
  scores.reserve(changes.size());
  for (const control::ScoreChange& change : changes) {
    scores.push_back({change.group, change.score});
  }
  parts_.engine.setScores(scores);
}

void ControlLoop::reportWrites() {
  std::lock_guard lock(reportMutex_);
  const EngineTotals now = parts_.engine.status().totals;
  parts_.plane.recordWrite(now.admittedBytes - reported_.admittedBytes,
                           now.reinsertedBytes - reported_.reinsertedBytes);
  reported_ = now;
}

}  // namespace shift::node
