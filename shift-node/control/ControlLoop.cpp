#include "shift-node/control/ControlLoop.h"

#include "common/ConfigSchema.h"
#include "common/Log.h"

namespace shift::node {
namespace {

using std::chrono::milliseconds;

constexpr Duration kRescoreEvery = milliseconds(1000);
constexpr Duration kFollowEvery = milliseconds(500);

}  // namespace

ControlLoop::ControlLoop(const Parts& parts, CounterRegistry& counters)
    : parts_(parts),
      admittedBytes_(
          counters.counter("engine_written_admitted_bytes_total", "Flash writes for new segments")),
      reinsertedBytes_(counters.counter("engine_written_reinserted_bytes_total",
                                        "Flash writes for reinserted segments")) {}

void ControlLoop::start() {
  repace();
  tasks_.push_back(std::make_unique<PeriodicTask>(kRescoreEvery, [this] { rescore(); }));
  if (parts_.gms != nullptr) {
    tasks_.push_back(std::make_unique<PeriodicTask>(kFollowEvery, [this] { follow(); }));
  }
}

void ControlLoop::repace() {
  std::lock_guard lock(refreshTaskMutex_);
  refreshTask_.reset();  // waits for a refresh under way
  refreshTask_ =
      std::make_unique<PeriodicTask>(parts_.plane.parameters().bucketRefreshTime, [this] { refresh(); });
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
  listWanted();
}

void ControlLoop::adoptParameters() {
  const std::optional<std::vector<std::string>> given = parts_.gms->takeParameters();
  if (!given) {
    return;
  }
  try {
    const Status adopted = parts_.plane.setParameters(parts_.parametersWith(*given), parts_.clock.now());
    if (adopted) {
      repace();
    } else {
      logWarning("the GMS's parameters are not used: " + adopted.error().message);
    }
  } catch (const ConfigError& fault) {
    logWarning(std::string("the GMS's parameters are not used: ") + fault.what());
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
  const std::int64_t admitted = admittedBytes_.value();
  const std::int64_t reinserted = reinsertedBytes_.value();
  parts_.plane.recordWrite(static_cast<std::uint64_t>(admitted - reportedAdmitted_),
                           static_cast<std::uint64_t>(reinserted - reportedReinserted_));
  reportedAdmitted_ = admitted;
  reportedReinserted_ = reinserted;
}

}  // namespace shift::node
