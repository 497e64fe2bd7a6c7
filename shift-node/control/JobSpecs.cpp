#include "shift-node/control/JobSpecs.h"

#include <algorithm>

namespace shift::node {
namespace {

control::ReadOrder toOrder(std::int32_t order) {
  switch (order) {
    case wire::ReadOrder::LISTED:
      return control::ReadOrder::kListed;
    case wire::ReadOrder::SEEDED:
      return control::ReadOrder::kSeeded;
    default:
      return control::ReadOrder::kUnknown;
  }
}

control::JobState toState(std::int32_t state) {
  switch (state) {
    case wire::JobState::QUEUED:
      return control::JobState::kQueued;
    case wire::JobState::RUNNING:
      return control::JobState::kRunning;
    case wire::JobState::FAILED:
      return control::JobState::kFailed;
    default:
      return control::JobState::kFinished;
  }
}

}  // namespace

control::JobSpec toSpec(const wire::Job& job) {
  control::JobSpec spec;
  spec.job = job.id;
  for (const std::string& directory : job.dataset.partitions) {
    spec.partitions.push_back(job.dataset.store + ":" + directory);
  }
  spec.order = toOrder(job.dataset.order);
  spec.seed = static_cast<std::uint64_t>(job.dataset.seed);
  spec.epochs = static_cast<std::uint32_t>(std::max(1, job.dataset.epochs));
  spec.state = toState(job.state);
  return spec;
}

SpecNews toNews(const gms::Snapshot& snapshot, const gms::SnapshotUpdate& update) {
  SpecNews news;
  for (const std::string& id : update.endedJobs) {
    control::JobSpec ended;
    ended.job = id;
    ended.state = control::JobState::kFinished;
    news.specs.push_back(std::move(ended));
  }
  for (const auto& job : update.jobs) {
    news.specs.push_back(toSpec(*job));
  }
  for (const wire::FinishedPartition& finished : update.finished) {
    const auto job = snapshot.jobs.find(finished.job);
    if (job != snapshot.jobs.end()) {
      news.finished.push_back({finished.job, job->second->dataset.store + ":" + finished.directory});
    }
  }
  return news;
}

std::optional<std::vector<control::ListedFile>> filesByManifest(const gms::Snapshot& snapshot,
                                                                const std::string& bucket) {
  for (const auto& [id, job] : snapshot.jobs) {
    const std::string prefix = job->dataset.store + ":";
    if (job->dataset.manifest.empty() || !bucket.starts_with(prefix)) {
      continue;
    }
    const std::string directory = bucket.substr(prefix.size()) + "/";
    std::vector<control::ListedFile> files;
    bool isComplete = true;
    for (const wire::ManifestFile& file : job->dataset.manifest) {
      if (file.path.starts_with(directory)) {
        isComplete = isComplete && !file.version.empty();
        files.push_back(
            {.path = file.path, .version = file.version, .size = static_cast<std::uint64_t>(file.size)});
      }
    }
    if (isComplete && !files.empty()) {
      std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
      return files;
    }
  }
  return std::nullopt;
}

}  // namespace shift::node
