#include "gms/MemberRing.h"

#include "common/Log.h"

namespace shift::gms {

MemberRing memberRingOf(const Snapshot& snapshot) {
  std::vector<ring::Member> members;
  std::set<std::string> down;
  for (const auto& [id, member] : snapshot.members) {
    const Result<HostPort> address = parseHostPort(member->address);
    if (!address) {
      logWarning("ring member " + id + " left out: " + address.error().message);
      continue;
    }
    const bool ownsNothing = member->state == wire::MemberState::DRAINING;
    const Result<HostPort> admin = parseHostPort(member->adminAddress);
    members.push_back({.id = id,
                       .address = *address,
                       .weight = ownsNothing ? 0 : member->weight,
                       .admin = admin ? std::optional(*admin) : std::nullopt});
    if (member->state == wire::MemberState::DOWN) {
      down.insert(id);
    }
  }
  return {ring::Ring(std::move(members), static_cast<std::uint64_t>(snapshot.ringEpoch)), std::move(down)};
}

}  // namespace shift::gms
