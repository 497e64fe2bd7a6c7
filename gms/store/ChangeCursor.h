#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/Result.h"

namespace shift::gms {

/** Where a follower stands in the pages of one answer. */
struct ChangeCursor {
  std::string instance;       // of the store
  bool reset = false;         // the pages hold everything there is
  std::int64_t target = 0;    // they go up to this revision
  std::int64_t stage = 0;     // which list comes next
  std::int64_t revision = 0;  // of the last entry that was sent
  std::string key;            // of the last entry that was sent

  bool operator==(const ChangeCursor&) const = default;
};

std::string encodeCursor(const ChangeCursor& cursor);
/** kInvalidArgument for what encodeCursor() did not write. */
Result<ChangeCursor> decodeCursor(std::string_view text);

}  // namespace shift::gms
