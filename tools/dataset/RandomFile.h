#pragma once

#include <cstdint>
#include <string>

#include "common/Result.h"

namespace shift::tools {

/** Writes a file of pseudo-random bytes that follow from the seed, making its directories. No two segments
 * are alike. */
Status writeRandomFile(const std::string& path, std::uint64_t size, std::uint64_t seed);

}  // namespace shift::tools
