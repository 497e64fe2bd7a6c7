#pragma once

#include "shift-node/engine/flash/FlashParts.h"

namespace shift::node {

/**
 * Replays a volume's journal into the shards: what it says is on the device is in the index afterwards, with
 * its units taken. Records that make no sense, or whose units are claimed twice, are left out. Called before
 * the engine is used; one volume at a time.
 */
Status recoverVolume(FlashParts& parts, Volume& volume);

}  // namespace shift::node
