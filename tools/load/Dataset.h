#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backing-store/BackingStore.h"
#include "tools/load/Pieces.h"

namespace shift::load {

/**
 * Writes `files` files of `size` bytes into bench/ below `root`, which is made if absent. Does nothing, and
 * says false, if there is something below `root` already.
 */
Result<bool> makeDataset(const std::string& root, std::uint32_t files, std::uint64_t size);

/**
 * The files to read: those of `paths`, files or directories below the store's root, or all that is below it
 * if there are none. In order of path; empty files are left out. An error if nothing is left.
 */
Result<std::vector<DataFile>> listDataset(const store::BackingStore& store, const std::string& root,
                                          std::vector<std::string> paths);

}  // namespace shift::load
