#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/Result.h"

namespace shift {

inline constexpr std::uint64_t kKiB = 1024;
inline constexpr std::uint64_t kMiB = 1024 * kKiB;
inline constexpr std::uint64_t kGiB = 1024 * kMiB;
inline constexpr std::uint64_t kTiB = 1024 * kGiB;

/**
 * Reads "262144", "256KiB", "1.5 GiB", "200MB". KiB, MiB, GiB, TiB are powers of 1024; kB, KB, MB, GB, TB of
 * 1000; B and no unit are bytes. The result is a whole number of bytes, or an error that says what was wrong.
 */
Result<std::uint64_t> parseByteSize(std::string_view text);

/** For people: "256.0 KiB", "1.3 TiB", "12 B". */
std::string formatByteSize(double bytes);

/** For configuration files: the largest binary unit that divides evenly, as in "256KiB". Parses back exactly.
 */
std::string formatExactByteSize(std::uint64_t bytes);

}  // namespace shift
