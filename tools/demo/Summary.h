#pragma once

#include <string>
#include <vector>

#include "tools/demo/Findings.h"

namespace shift::demo {

/** A row for each policy, of the act where they were side by side. */
std::string sideBySideTable(const std::vector<ArmFinding>& arms);

/** A row for the run without a cache, and one for the run of each policy. */
std::string runsTable(const RunFinding& noCache, const std::vector<RunFinding>& runs);

/** Who came before whom in what; a difference of less than two hundredths is none. */
std::string ranking(const Findings& findings);

/** What was seen, in a sentence or two: nothing but what the numbers say. */
std::string conclusion(const Findings& findings);

}  // namespace shift::demo
