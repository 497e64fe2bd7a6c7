#include "gms/GmsFollower.h"

#include <algorithm>

#include "common/Log.h"
#include "gms/GmsClient.h"
#include "gms/SnapshotFile.h"

namespace shift::gms {
namespace {

using std::chrono::seconds;

/** A file that is a little old costs nothing but a larger first answer. */
constexpr Duration kSaveEvery = seconds(10);
/** A large snapshot is saved less often: writing it takes at most this share of the time. */
constexpr int kSaveShare = 20;

}  // namespace

GmsFollower::GmsFollower(Config config, Source source, Listener listener, const Clock& clock,
                         CounterRegistry& counters)
    : config_(std::move(config)),
      source_(std::move(source)),
      listener_(std::move(listener)),
      clock_(clock),
      failures_(
          counters.counter(config_.counterPrefix + "_gms_failures_total", "Times the GMS did not answer")),
      connected_(counters.counter(config_.counterPrefix + "_gms_connected",
                                  "1 if the GMS answered when last asked, else 0")),
      staleness_(counters.counter(config_.counterPrefix + "_gms_staleness_nanoseconds",
                                  "Time since the GMS last answered")),
      revision_(counters.counter(config_.counterPrefix + "_gms_revision",
                                 "Revision of the GMS that is known here")),
      started_(clock.now()) {}

GmsFollower::~GmsFollower() {
  nextSave_ = clock_.now();
  saveIfDue();
}

GmsFollower::Source GmsFollower::asking(GmsClient& client) {
  return [&client](const wire::ChangesRequest& request) { return client.changesSince(request); };
}

Status GmsFollower::tick() {
  if (!restored_) {
    restored_ = true;
    restore();
  }
  const Status asked = ask();
  noteContact(asked.ok());
  saveIfDue();
  return asked;
}

void GmsFollower::restore() {
  if (config_.file.empty()) {
    return;
  }
  Result<Snapshot> saved = loadSnapshot(config_.file);
  if (!saved) {
    if (saved.error().code != ErrorCode::kNotFound) {
      logWarning(saved.error().message + "; beginning with nothing");
    }
    return;
  }
  savedInstance_ = saved->instance;
  savedRevision_ = saved->revision;
  SnapshotMerge merge(std::make_shared<const Snapshot>());
  merge.add(toChanges(*saved));
  publish(merge.finish());
}

Status GmsFollower::ask() {
  const std::shared_ptr<const Snapshot> before = snapshot();
  wire::ChangesRequest request;
  request.__set_kinds(config_.kinds);
  request.__set_revision(before->revision);
  if (!before->instance.empty()) {
    request.__set_instance(before->instance);
  }
  std::optional<SnapshotMerge> merge;
  for (;;) {
    Result<wire::Changes> page = source_(request);
    if (!page) {
      return page.error();
    }
    const bool more = !page->cursor.empty();
    if (!merge && !more && !page->reset && page->revision == before->revision) {
      return {};  // nothing new: the snapshot need not be copied
    }
    request.__set_cursor(page->cursor);
    if (merge && page->instance != merge->instance()) {
      return Error{ErrorCode::kUnavailable, "the GMS changed its database between two pages"};
    }
    if (!merge) {
      merge.emplace(before);
    }
    merge->add(*std::move(page));
    if (!more) {
      publish(merge->finish());
      return {};
    }
  }
}

void GmsFollower::publish(const SnapshotMerge::Outcome& outcome) {
  revision_.set(outcome.snapshot->revision);
  {
    std::lock_guard lock(mutex_);
    snapshot_ = outcome.snapshot;
  }
  if (outcome.update.any()) {
    listener_(*outcome.snapshot, outcome.update);
  }
}

void GmsFollower::saveIfDue() {
  const std::shared_ptr<const Snapshot> current = snapshot();
  const bool isSaved = savedInstance_ == current->instance && savedRevision_ == current->revision;
  const TimePoint begin = clock_.now();
  if (config_.file.empty() || isSaved || begin < nextSave_) {
    return;
  }
  if (const Status saved = saveSnapshot(config_.file, *current); !saved) {
    logWarning("what the GMS said cannot be kept for a restart: " + saved.error().message);
  } else {
    savedInstance_ = current->instance;
    savedRevision_ = current->revision;
  }
  const TimePoint end = clock_.now();
  nextSave_ = end + std::max(kSaveEvery, (end - begin) * kSaveShare);
}

void GmsFollower::noteContact(bool answered) {
  std::lock_guard lock(mutex_);
  const TimePoint now = clock_.now();
  health_.connected = answered;
  if (answered) {
    health_.lastContact = now;
  } else {
    ++health_.failures;
    failures_.add();
  }
  connected_.set(answered ? 1 : 0);
  staleness_.set((now - health_.lastContact.value_or(started_)).count());
}

std::shared_ptr<const Snapshot> GmsFollower::snapshot() const {
  std::lock_guard lock(mutex_);
  return snapshot_;
}

GmsFollower::Health GmsFollower::health() const {
  std::lock_guard lock(mutex_);
  return health_;
}

}  // namespace shift::gms
