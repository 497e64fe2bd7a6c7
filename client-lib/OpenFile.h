#pragma once

#include <memory>
#include <string>

#include "backing-store/BackingStore.h"
#include "client-lib/Eligibility.h"
#include "client-lib/ReadAhead.h"
#include "client-lib/ReadPlan.h"

namespace shift::client {

/** A file as it was when it was opened, and on whose account it is read. Shared by all reads under way. */
struct OpenFile {
  std::unique_ptr<store::BackingFile> backing;
  FileIdentity identity;
  std::string job;
  std::string tag;
  JobClass jobClass = JobClass::kMlTraining;
  std::shared_ptr<ReadAhead> readAhead;  // null: there is none
};

}  // namespace shift::client
