#include "gms/GmsTier.h"

#include <algorithm>
#include <unordered_map>

#include "dashboard/RemoteNode.h"
#include "gms/MemberRing.h"
#include "gms/json/EntityJson.h"
#include "gms/json/JobJson.h"
#include "ring/RingChange.h"

namespace shift::gms {
namespace {

constexpr Duration kNodeTimeout = std::chrono::milliseconds(1500);
constexpr std::int32_t kMaxJobsOfAState = 50;
constexpr std::size_t kMaxStretches = 60;
/** A partition that was begun counts for half a finished one. */
constexpr double kBegun = 0.5;

}  // namespace

dashboard::TierJob tierJobOf(const wire::Job& job, std::size_t maxStretches) {
  const std::vector<std::string>& partitions = job.dataset.partitions;
  dashboard::TierJob out{.id = job.id,
                         .owner = job.owner,
                         .state = nameOf(jobStates(), job.state),
                         .table = job.dataset.table,
                         .epochs = job.dataset.epochs,
                         .partitions = partitions.size(),
                         .stretches = std::vector<double>(std::min(partitions.size(), maxStretches), 0)};
  std::unordered_map<std::string, const wire::PartitionProgress*> begun;
  for (const wire::PartitionProgress& progress : job.progress) {
    begun[progress.directory] = &progress;
    out.readBytes += progress.readBytes;
  }
  std::vector<std::size_t> sizes(out.stretches.size(), 0);
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    const std::size_t stretch = i * out.stretches.size() / partitions.size();
    ++sizes[stretch];
    if (const auto found = begun.find(partitions[i]); found != begun.end()) {
      out.finishedPartitions += found->second->finished ? 1 : 0;
      out.stretches[stretch] += found->second->finished ? 1 : kBegun;
    }
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    out.stretches[i] /= static_cast<double>(sizes[i]);
  }
  return out;
}

Result<dashboard::TierView> GmsTier::look(bool withJobs) {
  const Result<std::vector<wire::RingMember>> members = stores_.members.list();
  if (!members) {
    return members.error();
  }
  std::shared_ptr<const Membership> membership;
  {
    const std::lock_guard lock(mutex_);
    membership = known_;
  }
  if (membership->members != *members) {
    membership = std::make_shared<const Membership>(membershipOf(*members));
    const std::lock_guard lock(mutex_);
    known_ = membership;
  }
  dashboard::TierView view{.nodes = membership->nodes, .jobs = {}, .ring = membership->ring};
  if (withJobs) {
    Result<std::vector<dashboard::TierJob>> listed = jobs();
    if (!listed) {
      return listed.error();
    }
    view.jobs = *std::move(listed);
  }
  return view;
}

GmsTier::Membership GmsTier::membershipOf(const std::vector<wire::RingMember>& members) const {
  Snapshot snapshot;
  for (const wire::RingMember& member : members) {
    snapshot.members[member.id] = std::make_shared<const wire::RingMember>(member);
  }
  Membership made{.members = members,
                  .nodes = {},
                  .ring = std::make_shared<const ring::Ring>(memberRingOf(snapshot).ring)};
  const ring::RingChange shares = ring::compare(*made.ring, *made.ring);
  for (const wire::RingMember& member : members) {
    const auto share = std::ranges::find(shares.members, member.id, &ring::ShareChange::id);
    const Result<HostPort> admin = parseHostPort(member.adminAddress);
    made.nodes.push_back(
        {.id = member.id,
         .adminAddress = member.adminAddress,
         .state = nameOf(memberStates(), member.state),
         .weight = member.weight,
         .share = share == shares.members.end() ? 0 : share->after,
         .voice = admin ? std::make_shared<dashboard::RemoteNode>(*admin, kNodeTimeout) : nullptr});
  }
  return made;
}

/** Those that read, those that wait and those that have ended: so many of each. */
Result<std::vector<dashboard::TierJob>> GmsTier::jobs() const {
  std::vector<dashboard::TierJob> rows;
  const std::vector<std::vector<std::int32_t>> kinds = {
      {wire::JobState::RUNNING},
      {wire::JobState::QUEUED},
      {wire::JobState::FINISHED, wire::JobState::FAILED, wire::JobState::EXPIRED}};
  for (const std::vector<std::int32_t>& states : kinds) {
    wire::JobQuery query;
    query.__set_states(states);
    query.__set_limit(kMaxJobsOfAState);
    const Result<wire::JobPage> page = stores_.jobs.listJobs(query);
    if (!page) {
      return page.error();
    }
    for (const wire::Job& listed : page->jobs) {
      // Only who asks for one job is told its progress. One that was deleted meanwhile is left out.
      if (const Result<wire::Job> job = stores_.jobs.getJob(listed.id)) {
        rows.push_back(tierJobOf(*job, kMaxStretches));
      }
    }
  }
  return rows;
}

}  // namespace shift::gms
