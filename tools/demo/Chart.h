#pragma once

#include <string>

#include "common/Result.h"
#include "tools/demo/Findings.h"

namespace shift::demo {

/** The findings as bars, SVG: shares of what the jobs read, and job times as shares of those without a cache.
 */
std::string chartOf(const Findings& findings);

/** Whether a chart may be put there: nothing is, or an earlier one. The error says what to do instead. */
Status checkChartFile(const std::string& path);

/** Puts it there as a whole. */
Status writeChart(const std::string& path, const Findings& findings);

}  // namespace shift::demo
