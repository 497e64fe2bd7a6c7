#include "ring/RingChange.h"

#include <map>

namespace shift::ring {

RingChange compare(const Ring& before, const Ring& after) {
  constexpr unsigned kBits = 18;
  constexpr double kShare = 1.0 / (1 << kBits);
  std::map<std::string, ShareChange> members;
  for (const Ring* ring : {&before, &after}) {
    for (const Member& member : ring->members()) {
      members[member.id].id = member.id;
    }
  }
  RingChange change;
  for (std::uint64_t i = 0; i < (std::uint64_t{1} << kBits); ++i) {
    const BlockId place{i << (64 - kBits), 0};
    const Member* const old = before.ownerOf(place);
    const Member* const next = after.ownerOf(place);
    if (old != nullptr) {
      members[old->id].before += kShare;
    }
    if (next != nullptr) {
      members[next->id].after += kShare;
    }
    if (old != nullptr && next != nullptr && old->id != next->id) {
      members[next->id].gained += kShare;
      change.moved += kShare;
    }
  }
  for (auto& [id, member] : members) {
    change.members.push_back(std::move(member));
  }
  return change;
}

}  // namespace shift::ring
