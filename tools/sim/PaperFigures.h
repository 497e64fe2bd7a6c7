#pragma once

#include <optional>
#include <string_view>

namespace shift::sim {

/** The paper's Figure 8, read off its text: IO absorbed, LRU = 1. None for what it does not have. */
std::optional<double> paperRatioToLru(std::string_view workload, std::string_view policy);

/** What of our model makes a ratio of this workload depart from the paper's, as far as we know; `order`
 * is that of fig8. */
std::string_view assumptionBehind(std::string_view workload, std::string_view order);

}  // namespace shift::sim
