#pragma once

#include <vector>

#include "common/Result.h"
#include "gms/store/MetadataStore.h"

namespace shift::gms {

/** Who changed what, when, from what to what: written by Change::audit(), read here. Thread-safe. */
class AuditLog {
 public:
  explicit AuditLog(MetadataStore& store) : store_(store) {}

  /** The newest first. */
  Result<std::vector<wire::AuditEntry>> list(const wire::AuditQuery& query);

 private:
  MetadataStore& store_;
};

}  // namespace shift::gms
