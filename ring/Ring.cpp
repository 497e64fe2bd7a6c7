#include "ring/Ring.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace shift::ring {

Ring::Ring(std::vector<Member> members, std::uint64_t epoch) : members_(std::move(members)), epoch_(epoch) {
  std::sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) { return a.id < b.id; });
  for (std::uint32_t member = 0; member < members_.size(); ++member) {
    const std::string& id = members_[member].id;
    const auto count = static_cast<std::uint32_t>(std::lround(members_[member].weight * kPointsPerWeight));
    for (std::uint32_t i = 0; i < count; ++i) {
      points_.push_back({XXH3_64bits_withSeed(id.data(), id.size(), i), member});
    }
  }
  // Two members on the very same place is next to impossible; by id, it is at least the same everywhere.
  std::sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) {
    return std::tie(a.place, a.member) < std::tie(b.place, b.member);
  });
}

const Member* Ring::ownerOf(const BlockId& block) const {
  if (points_.empty()) {
    return nullptr;
  }
  const auto at =
      std::lower_bound(points_.begin(), points_.end(), block.high,
                       [](const Point& point, std::uint64_t place) { return point.place < place; });
  return &members_[at == points_.end() ? points_.front().member : at->member];
}

}  // namespace shift::ring
