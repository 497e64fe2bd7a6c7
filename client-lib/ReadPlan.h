#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "blocks/BlockId.h"
#include "blocks/Geometry.h"
#include "ring/Ring.h"

namespace shift::client {

/** The file a read is about: what, with a block's index, makes the block's id. */
struct FileIdentity {
  std::string store;
  std::string path;  // normalised
  std::string version;
  std::uint64_t size = 0;
  std::uint64_t blockSize = 0;
};

/** One get: a range of one block, no longer than a get may be, and the node that holds the block. */
struct PlannedGet {
  BlockRange range;
  BlockId block;
  const ring::Member* owner = nullptr;  // nullptr: the ring is empty; read the backing store
};

/**
 * Cuts a pread into gets, in order and without gaps: the ranges add up to the bytes of the file that were
 * asked for. A pure function; `owner` points into `ring`.
 */
std::vector<PlannedGet> planRead(const FileIdentity& file, std::uint64_t offset, std::uint64_t count,
                                 std::uint64_t maxGetLength, const ring::Ring& ring);

}  // namespace shift::client
