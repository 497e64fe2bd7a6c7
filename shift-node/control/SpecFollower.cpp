#include "shift-node/control/SpecFollower.h"

namespace shift::node {
namespace {

control::ReadOrder toOrder(std::int32_t order) {
  // A seeded order is of use only with its seed, which specs do not carry yet: any order is what remains.
  return order == wire::ReadOrder::LISTED ? control::ReadOrder::kListed : control::ReadOrder::kUnknown;
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
  spec.state = toState(job.state);
  return spec;
}

std::vector<control::JobSpec> SpecFollower::changes(const std::vector<wire::Job>& active) {
  std::vector<control::JobSpec> changed;
  std::map<std::string, control::JobSpec> now;
  for (const wire::Job& job : active) {
    control::JobSpec spec = toSpec(job);
    const auto before = known_.find(job.id);
    if (before == known_.end() || before->second != spec) {
      changed.push_back(spec);
    }
    now.insert_or_assign(job.id, std::move(spec));
  }
  for (auto& [id, spec] : known_) {
    if (!now.contains(id)) {
      spec.state = control::JobState::kFinished;
      changed.push_back(spec);
    }
  }
  known_ = std::move(now);
  return changed;
}

}  // namespace shift::node
