#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dashboard/Tier.h"
#include "gms/store/Stores.h"

namespace shift::gms {

/** The tier as the GMS knows it: the ring's members, and the jobs with how far they have come. Thread-safe.
 */
class GmsTier final : public dashboard::Tier {
 public:
  /** `stores` outlives this. */
  explicit GmsTier(Stores& stores) : stores_(stores) {}

  Result<dashboard::TierView> look(bool withJobs) override;

 private:
  /** What follows from the members alone, and is made anew only when they change. */
  struct Membership {
    std::vector<wire::RingMember> members;
    std::vector<dashboard::TierNode> nodes;
    std::shared_ptr<const ring::Ring> ring;
  };
  Membership membershipOf(const std::vector<wire::RingMember>& members) const;
  Result<std::vector<dashboard::TierJob>> jobs() const;

  Stores& stores_;
  std::mutex mutex_;
  std::shared_ptr<const Membership> known_ = std::make_shared<Membership>();
};

/** How far a job has come, for a bar: at most so many stretches of its partitions, in the order of reading.
 */
dashboard::TierJob tierJobOf(const wire::Job& job, std::size_t maxStretches);

}  // namespace shift::gms
