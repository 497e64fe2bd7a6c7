#include "shift-node/engine/flash/Shard.h"

#include "shift-node/engine/flash/Volume.h"

namespace shift::node {

void Shard::publish() {
  const auto worst = index.worst();
  worstScore.store(worst ? worst->score : std::numeric_limits<double>::infinity(), std::memory_order_relaxed);
  worstUse.store(worst ? worst->lastUse : kEmpty, std::memory_order_relaxed);
  oldestInDram.store(dram.oldestUse(), std::memory_order_relaxed);
}

std::vector<Extent> Shard::extentsOf(const SegmentKey& key, const SegmentEntry& entry) const {
  if (entry.isScattered) {
    return scattered.at(key);
  }
  return {{static_cast<std::uint32_t>(entry.unit), unitsFor(entry.size())}};
}

}  // namespace shift::node
