#include "client-lib/ClusterWatcher.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "client-lib/RuleFile.h"
#include "client-lib/SnapshotEligibility.h"
#include "common/Log.h"
#include "gms/GmsClient.h"
#include "gms/GmsFollower.h"
#include "gms/MemberRing.h"
#include "ring/RingFile.h"

namespace shift::client {
namespace {

/** The key of a parameter that is for every client. */
constexpr const char* kShadowSample = "/client.shadow_sample";

/** A number from 0 to 1; what is none counts as 0. */
double shareIn(const std::string& text) {
  double share = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), share);
  return fault == std::errc() && end == text.data() + text.size() && share > 0 ? std::min(share, 1.0) : 0;
}

/** One name per client: reports of two are never taken for one's. */
std::string reporterName(const Clock& clock) {
  char host[256] = "client";
  ::gethostname(host, sizeof host - 1);
  return std::string(host) + '-' + std::to_string(::getpid()) + '-' +
         std::to_string(clock.wallNow().time_since_epoch().count());
}

}  // namespace

Result<std::unique_ptr<ClusterWatcher>> ClusterWatcher::create(const ClientConfig& config, const Clock& clock,
                                                               PastCache& past, Shadow& shadow) {
  std::unique_ptr<ClusterWatcher> watcher(new ClusterWatcher(config, clock, past, shadow));
  for (const Result<bool>& read : {watcher->readRing(), watcher->readRules()}) {
    if (!read) {
      return read.error();
    }
  }
  watcher->publish();
  if (watcher->follower_ != nullptr) {
    watcher->tick();  // a GMS that is away is no reason not to start
  }
  return watcher;
}

ClusterWatcher::ClusterWatcher(const ClientConfig& config, const Clock& clock, PastCache& past,
                               Shadow& shadow)
    : config_(config),
      clock_(clock),
      past_(past),
      shadow_(shadow),
      ringFile_(config.ringFile),
      ruleFile_(config.ruleFile) {
  const Result<HostPort> address = parseHostPort(config.gms);
  if (!address) {
    return;
  }
  const std::int32_t kinds =
      (config.ringFile.empty() ? wire::ChangeKind::MEMBERS : 0) |
      (config.ruleFile.empty() ? wire::ChangeKind::RULES | wire::ChangeKind::TABLES : 0) |
      wire::ChangeKind::PARAMETERS;
  reporter_ = reporterName(clock);
  gms_ = std::make_unique<gms::GmsClient>(*address, config.gmsTimeout, reporter_);
  follower_ = std::make_unique<gms::GmsFollower>(
      gms::GmsFollower::Config{.kinds = kinds, .file = config.gmsSnapshot, .counterPrefix = "client"},
      gms::GmsFollower::asking(*gms_),
      [this](const gms::Snapshot& snapshot, const gms::SnapshotUpdate&) { follow(snapshot); }, clock,
      counters_);
}

ClusterWatcher::~ClusterWatcher() = default;

std::shared_ptr<const ClusterView> ClusterWatcher::view() const {
  std::lock_guard lock(mutex_);
  return view_;
}

bool ClusterWatcher::isWatching() const {
  return follower_ != nullptr || !config_.ringFile.empty() || !config_.ruleFile.empty();
}

void ClusterWatcher::tick() {
  bool isNew = false;
  for (const Result<bool>& read : {readRing(), readRules()}) {
    if (read) {
      isNew = isNew || *read;
    } else {
      logWarning(read.error().message + " (what was known before stays in force)");
    }
  }
  if (isNew) {
    publish();
  }
  if (follower_ != nullptr) {
    (void)follower_->tick();  // counted there, and the last good view stands
    report();
  }
}

Result<bool> ClusterWatcher::readRing() {
  if (!ringFile_.hasChanged()) {
    return false;
  }
  Result<ring::Ring> ring = ring::readRingFile(ringFile_.path());
  if (!ring) {
    return ring.error();
  }
  ring_ = *std::move(ring);
  return true;
}

Result<bool> ClusterWatcher::readRules() {
  if (!ruleFile_.hasChanged()) {
    return false;
  }
  Result<Eligibility> rules = readRuleFile(ruleFile_.path());
  if (!rules) {
    return rules.error();
  }
  eligibility_ = *std::move(rules);
  return true;
}

void ClusterWatcher::follow(const gms::Snapshot& snapshot) {
  if (config_.ringFile.empty()) {
    gms::MemberRing members = gms::memberRingOf(snapshot);
    ring_ = std::move(members.ring);
    down_ = std::move(members.down);
  }
  if (config_.ruleFile.empty()) {
    eligibility_ = eligibilityOf(snapshot, config_.disks);
  }
  const auto sample = snapshot.parameters.find(kShadowSample);
  shadow_.setSample(sample == snapshot.parameters.end() ? 0 : shareIn(sample->second->value));
  publish();
}

void ClusterWatcher::report() {
  // What may have arrived is sent again as it was, under its number, so that it counts once.
  if (unreported_.sequence == 0) {
    unreported_ = makeReport();
  }
  if (unreported_.sequence > 0 && gms_->report(unreported_)) {
    ++reports_;
    unreported_ = {};
  }
}

wire::Report ClusterWatcher::makeReport() {
  wire::Report report;
  std::vector<wire::DirectoryDemand> demands;
  for (const auto& [directory, count] : past_.takeByDirectory()) {
    const std::size_t colon = directory.find(':');
    if (colon != std::string::npos) {
      wire::DirectoryDemand demand;
      demand.__set_store(directory.substr(0, colon));
      demand.__set_directory(directory.substr(colon + 1));
      demand.__set_bytes(static_cast<std::int64_t>(count));
      demands.push_back(std::move(demand));
    }
  }
  const Shadow::Findings found = shadow_.take();
  if (found.reads > 0) {
    report.shadow.__set_reads(static_cast<std::int64_t>(found.reads));
    report.shadow.__set_bytes(static_cast<std::int64_t>(found.bytes));
    report.shadow.__set_mismatches(static_cast<std::int64_t>(found.mismatches));
    report.shadow.__set_lastMismatch(found.lastMismatch);
    report.__isset.shadow = true;
  }
  if (!demands.empty() || found.reads > 0) {
    report.__set_reporter(reporter_);
    report.__set_sequence(reports_ + 1);
    report.__set_pastCache(demands);
  }
  return report;
}

void ClusterWatcher::publish() {
  auto next = std::make_shared<ClusterView>();
  next->ring = ring_;
  next->eligibility = eligibility_;
  const std::shared_ptr<const ClusterView> old = view();
  std::map<std::pair<std::string, std::string>, std::shared_ptr<NodeClient>> known;
  if (old != nullptr) {
    for (const auto& [member, node] : old->nodes) {
      known.emplace(std::pair(member->id, toString(member->address)), node);
    }
  }
  for (const ring::Member& member : next->ring.members()) {
    std::shared_ptr<NodeClient>& node = known[{member.id, toString(member.address)}];
    if (node == nullptr) {
      node = std::make_shared<NodeClient>(member.address,
                                          BreakerConfig{.failures = config_.breakerFailures,
                                                        .pause = config_.breakerPause,
                                                        .maxPause = config_.breakerMaxPause},
                                          config_.connectTimeout, clock_);
    }
    next->nodes.emplace(&member, down_.contains(member.id) ? nullptr : node);
  }
  std::lock_guard lock(mutex_);
  view_ = std::move(next);
}

}  // namespace shift::client
