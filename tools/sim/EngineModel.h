#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <tuple>
#include <vector>

namespace shift::sim {

/**
 * A node's engine without the bytes: segments are evicted one by one, from the group (block) with the worst
 * score, and there the least recently used one; among equal scores the group whose coldest segment is
 * coldest. The same rules as shift::node::MemoryEngine, on dense numbers: block * segmentsPerBlock + segment.
 */
class EngineModel {
 public:
  /** `onEvict`: asked before a segment of a block leaves; true = write it again. May be empty. */
  EngineModel(std::uint64_t capacityBytes, std::uint32_t blocks, std::uint32_t segmentsPerBlock,
              std::function<bool(std::uint32_t block)> onEvict);

  bool contains(std::uint32_t block, std::uint32_t segment) const;
  /** A use of a segment that is held. */
  void touch(std::uint32_t block, std::uint32_t segment);
  /** False: it would be the first to be evicted. */
  bool insert(std::uint32_t block, std::uint32_t segment, std::uint32_t bytes, double score);
  void setScore(std::uint32_t block, double score);
  /** Minus infinity while there is room. */
  double evictionFloor() const;

  std::uint64_t usedBytes() const { return usedBytes_; }
  std::uint64_t reinsertedBytes() const { return reinsertedBytes_; }

 private:
  static constexpr std::uint32_t kNone = ~0U;
  struct Held {
    std::uint64_t lastUse = 0;
    std::uint32_t bytes = 0;  // 0 = not held
    std::uint32_t colder = kNone;
    std::uint32_t warmer = kNone;
  };
  struct Group {
    double score = 0;
    std::uint32_t coldest = kNone;
    std::uint32_t warmest = kNone;
  };
  using Rank = std::tuple<double, std::uint64_t, std::uint32_t>;

  Rank rankOf(std::uint32_t block) const;
  void append(std::uint32_t block, std::uint32_t id);
  void unlink(std::uint32_t block, std::uint32_t id);
  void evictOne();

  const std::uint64_t capacityBytes_;
  const std::uint32_t segmentsPerBlock_;
  const std::function<bool(std::uint32_t)> onEvict_;
  std::vector<Held> held_;
  std::vector<Group> groups_;
  std::set<Rank> ranks_;
  std::uint64_t usedBytes_ = 0;
  std::uint64_t reinsertedBytes_ = 0;
  std::uint32_t largest_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace shift::sim
