#pragma once

#include <cstdint>

#include "client-lib/ClusterView.h"
#include "client-lib/OpenFile.h"
#include "client-lib/RangeBytes.h"
#include "common/Clock.h"
#include "read-protocol/Frame.h"

namespace shift::client {

/**
 * Asks the owners of a file's blocks about a range: whether it is there (kProbe), or to bring it in if they
 * want it (kPrefetch). No bytes travel, and nothing is fetched before this returns. A node that does not
 * answer at once is left alone.
 */
RangeBytes askRanges(const ClusterView& view, const OpenFile& file, std::uint64_t offset,
                     std::uint64_t length, protocol::FrameKind kind, const Clock& clock);

}  // namespace shift::client
