#pragma once

#include <string>

#include "common/Result.h"
#include "ring/Ring.h"

namespace shift::ring {

/**
 * Reads a ring from a TOML file, for clusters whose members are fixed by hand:
 *
 *   [[node]]
 *   id = "flash-01"
 *   address = "10.0.0.1:7400"
 *   weight = 1.0              # optional
 *
 * An error names every fault with its line.
 */
Result<Ring> readRingFile(const std::string& path);

/** What readRingFile() reads back to the same ring. */
std::string formatRingFile(const Ring& ring);

}  // namespace shift::ring
