#include "client-lib/JobId.h"

#include <cstdlib>

namespace shift::client {

std::string jobIdFromEnvironment() {
  for (const char* name : {"SHIFT_JOB_ID", "SLURM_JOB_ID", "LSB_JOBID", "PBS_JOBID"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') {
      return value;
    }
  }
  return "";
}

}  // namespace shift::client
