#include "client-lib/ReadPlan.h"

#include <algorithm>

namespace shift::client {

std::vector<PlannedGet> planRead(const FileIdentity& file, std::uint64_t offset, std::uint64_t count,
                                 std::uint64_t maxGetLength, const ring::Ring& ring) {
  std::vector<PlannedGet> plan;
  for (const BlockRange& range : cutIntoBlocks(file.size, offset, count, file.blockSize)) {
    const BlockId block = blockIdOf(file.store, file.path, file.version, file.blockSize, range.block);
    const ring::Member* owner = ring.ownerOf(block);
    for (std::uint64_t done = 0; done < range.length;) {
      const std::uint64_t length = std::min(range.length - done, maxGetLength);
      plan.push_back({{range.block, range.offset + done, length, range.bufferOffset + done}, block, owner});
      done += length;
    }
  }
  return plan;
}

}  // namespace shift::client
