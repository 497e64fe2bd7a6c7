#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace shift::ctl {

/** "12.3 MB/s": decimal units, as write limits and disks are rated. */
std::string rate(double bytes, double seconds);
/** "82 %"; "-" of nothing. */
std::string percent(double part, double whole);
/** "3.2 years", "5 days", "12 min", "40 s". */
std::string span(double seconds);
/** "2 min ago"; "never" for 0. */
std::string ago(std::int64_t ms, std::int64_t nowMs);

enum class Color { kGood, kBad, kDim, kBold };
/** The text in that colour, if colours are wanted. */
std::string colored(bool isWanted, Color color, std::string_view text);

}  // namespace shift::ctl
