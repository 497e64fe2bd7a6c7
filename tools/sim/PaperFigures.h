#pragma once

#include <optional>
#include <string_view>

namespace shift::sim {

/** The paper's Figure 8, read off its text: IO absorbed, LRU = 1. None for what it does not have. */
std::optional<double> paperRatioToLru(std::string_view workload, std::string_view policy);

}  // namespace shift::sim
