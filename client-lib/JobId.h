#pragma once

#include <string>

namespace shift::client {

/** The job this process belongs to: SHIFT_JOB_ID, else what the scheduler says (Slurm, LSF, PBS), else empty.
 */
std::string jobIdFromEnvironment();

}  // namespace shift::client
