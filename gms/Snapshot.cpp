#include "gms/Snapshot.h"

#include <algorithm>

namespace shift::gms {
namespace {

/** Moves the entries into the map; true if there were any. */
template <typename T, typename Key>
bool take(Snapshot::ByKey<T>& known, std::vector<T>& entries, Key key) {
  for (T& entry : entries) {
    std::string name = key(entry);
    known.insert_or_assign(std::move(name), std::make_shared<const T>(std::move(entry)));
  }
  return !entries.empty();
}

template <typename T>
std::vector<T> valuesOf(const Snapshot::ByKey<T>& entries) {
  std::vector<T> values;
  values.reserve(entries.size());
  for (const auto& [key, value] : entries) {
    values.push_back(*value);
  }
  return values;
}

template <typename T>
bool sameEntries(const Snapshot::ByKey<T>& a, const Snapshot::ByKey<T>& b) {
  return std::ranges::equal(
      a, b, [](const auto& x, const auto& y) { return x.first == y.first && *x.second == *y.second; });
}

}  // namespace

std::string keyOf(const wire::Parameter& parameter) {
  return parameter.node + "/" + parameter.name;
}

SnapshotMerge::SnapshotMerge(std::shared_ptr<const Snapshot> before)
    : before_(std::move(before)), after_(std::make_shared<Snapshot>(*before_)) {}

void SnapshotMerge::add(wire::Changes page) {
  if (page.reset && !reset_) {
    reset_ = true;
    after_ = std::make_shared<Snapshot>();
  }
  after_->instance = page.instance;
  after_->revision = page.revision;
  if (page.__isset.ringEpoch) {
    after_->ringEpoch = page.ringEpoch;
  }
  for (const wire::Removed& removed : page.removed) {
    remove(removed);
  }
  for (wire::Job& job : page.jobs) {
    auto entry = std::make_shared<const wire::Job>(std::move(job));
    after_->jobs.insert_or_assign(entry->id, entry);
    forgetFinished(entry->id);  // what still holds comes with it
    update_.jobs.push_back(std::move(entry));
  }
  update_.tables |= take(after_->tables, page.tables, [](const wire::Table& table) { return table.name; });
  update_.rules |= take(after_->rules, page.rules, [](const wire::EligibilityRule& rule) { return rule.id; });
  update_.members |=
      take(after_->members, page.members, [](const wire::RingMember& member) { return member.id; });
  update_.parameters |= take(after_->parameters, page.parameters, keyOf);
  for (wire::FinishedPartition& finished : page.finished) {
    ownFinished(finished.job).insert(finished.directory);
    update_.finished.push_back(std::move(finished));
  }
}

void SnapshotMerge::remove(const wire::Removed& removed) {
  switch (removed.kind) {
    case wire::ChangeKind::JOBS:
      forgetFinished(removed.key);
      if (after_->jobs.erase(removed.key) > 0) {
        update_.endedJobs.push_back(removed.key);
      }
      break;
    case wire::ChangeKind::TABLES:
      update_.tables |= after_->tables.erase(removed.key) > 0;
      break;
    case wire::ChangeKind::RULES:
      update_.rules |= after_->rules.erase(removed.key) > 0;
      break;
    case wire::ChangeKind::MEMBERS:
      update_.members |= after_->members.erase(removed.key) > 0;
      break;
    case wire::ChangeKind::PARAMETERS:
      update_.parameters |= after_->parameters.erase(removed.key) > 0;
      break;
    default:
      break;  // of a kind that only newer releases know
  }
}

std::set<std::string>& SnapshotMerge::ownFinished(const std::string& job) {
  auto& own = ownFinished_[job];
  if (own == nullptr) {
    auto& shared = after_->finished[job];
    own = shared == nullptr ? std::make_shared<std::set<std::string>>()
                            : std::make_shared<std::set<std::string>>(*shared);
    shared = own;
  }
  return *own;
}

void SnapshotMerge::forgetFinished(const std::string& job) {
  after_->finished.erase(job);
  ownFinished_.erase(job);
}

SnapshotMerge::Outcome SnapshotMerge::finish() {
  if (reset_) {
    compareWithBefore();
  }
  return {after_, std::move(update_)};
}

void SnapshotMerge::compareWithBefore() {
  for (const auto& [id, job] : before_->jobs) {
    if (!after_->jobs.contains(id)) {
      update_.endedJobs.push_back(id);
    }
  }
  std::erase_if(update_.jobs, [this](const std::shared_ptr<const wire::Job>& job) {
    const auto known = before_->jobs.find(job->id);
    return known != before_->jobs.end() && *known->second == *job;
  });
  update_.tables = !sameEntries(before_->tables, after_->tables);
  update_.rules = !sameEntries(before_->rules, after_->rules);
  update_.members = !sameEntries(before_->members, after_->members);
  update_.parameters = !sameEntries(before_->parameters, after_->parameters);
}

wire::Changes toChanges(const Snapshot& snapshot) {
  wire::Changes changes;
  changes.__set_instance(snapshot.instance);
  changes.__set_revision(snapshot.revision);
  changes.__set_reset(true);
  changes.__set_ringEpoch(snapshot.ringEpoch);
  changes.__set_jobs(valuesOf(snapshot.jobs));
  for (const auto& [job, directories] : snapshot.finished) {
    for (const std::string& directory : *directories) {
      wire::FinishedPartition& finished = changes.finished.emplace_back();
      finished.__set_job(job);
      finished.__set_directory(directory);
    }
  }
  changes.__isset.finished = true;
  changes.__set_tables(valuesOf(snapshot.tables));
  changes.__set_rules(valuesOf(snapshot.rules));
  changes.__set_members(valuesOf(snapshot.members));
  changes.__set_parameters(valuesOf(snapshot.parameters));
  return changes;
}

}  // namespace shift::gms
