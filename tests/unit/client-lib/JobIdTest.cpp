#include "client-lib/JobId.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace shift::client {
namespace {

TEST(JobId, OurVariableComesBeforeTheSchedulers) {
  for (const char* name : {"SHIFT_JOB_ID", "SLURM_JOB_ID", "LSB_JOBID", "PBS_JOBID"}) {
    ::unsetenv(name);
  }
  EXPECT_EQ(jobIdFromEnvironment(), "");
  ::setenv("SLURM_JOB_ID", "4711", 1);
  EXPECT_EQ(jobIdFromEnvironment(), "4711");
  ::setenv("SHIFT_JOB_ID", "mine", 1);
  EXPECT_EQ(jobIdFromEnvironment(), "mine");
  ::setenv("SHIFT_JOB_ID", "", 1);
  EXPECT_EQ(jobIdFromEnvironment(), "4711");
  ::unsetenv("SHIFT_JOB_ID");
  ::unsetenv("SLURM_JOB_ID");
}

}  // namespace
}  // namespace shift::client
