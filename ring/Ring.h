#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "blocks/BlockId.h"
#include "common/HostPort.h"

namespace shift::ring {

/** A node of the ring. Its place follows from its id and weight alone: another address moves no data. */
struct Member {
  std::string id;
  HostPort address;
  double weight = 1;              // share of the ring relative to the others
  std::optional<HostPort> admin;  // where its admin service is, for tools

  bool operator==(const Member&) const = default;
};

/** Points on the circle for a member of weight 1: enough that ten equal members are within 5 % of their
 * share. */
inline constexpr std::uint32_t kPointsPerWeight = 4096;

/**
 * Consistent hashing: each member stands at many points of a circle of 2⁶⁴ places, and a block belongs to the
 * member at the first point at or after its hash. When a member joins or leaves, only the blocks it gains or
 * loses move.
 *
 * An immutable snapshot of one epoch; share it freely between threads. The same members give the same ring on
 * every machine and in every release, in whatever order they are listed.
 */
class Ring {
 public:
  Ring() = default;
  /** Members must have distinct ids and weights from 0 (owns nothing) up. */
  explicit Ring(std::vector<Member> members, std::uint64_t epoch = 0);

  /** The member that holds this block; nullptr if the ring is empty. Lives as long as the ring. */
  const Member* ownerOf(const BlockId& block) const;

  bool isOwner(std::string_view id, const BlockId& block) const {
    const Member* const owner = ownerOf(block);
    return owner != nullptr && owner->id == id;
  }

  std::span<const Member> members() const { return members_; }
  std::uint64_t epoch() const { return epoch_; }

 private:
  struct Point {
    std::uint64_t place;
    std::uint32_t member;
  };

  std::vector<Member> members_;
  std::vector<Point> points_;  // by place
  std::uint64_t epoch_ = 0;
};

}  // namespace shift::ring
