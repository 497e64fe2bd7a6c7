#pragma once

#include <cstdint>
#include <string>

#include "blocks/BlockId.h"

namespace shift::control {

/** One get as the control plane sees it: the range of a block, and the tags that came with it. */
struct ReadRequest {
  std::string store;
  std::string path;     // normalised
  std::string version;  // the file's version token
  std::string job;      // empty: nobody said
  std::uint64_t fileSize = 0;
  std::uint64_t blockSize = 0;
  std::uint64_t blockIndex = 0;
  BlockId block;             // computed from the above by whoever made the request
  std::uint64_t offset = 0;  // within the block
  std::uint64_t length = 0;
};

}  // namespace shift::control
