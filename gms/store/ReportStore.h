#pragma once

#include "common/Result.h"
#include "gms/store/MetadataStore.h"

namespace shift::gms {

/**
 * Takes in what nodes and clients saw. A job's first read makes it running, every read is a sign of life,
 * bytes are added to its progress and to the demand of its table. A report that was counted already is not
 * counted again. Thread-safe.
 */
class ReportStore {
 public:
  explicit ReportStore(MetadataStore& store) : store_(store) {}

  Result<wire::ReportOutcome> report(const wire::Report& report);

  /** What clients found that compare nodes with the backing store, since it was last cleared. */
  Result<std::vector<wire::ShadowResult>> shadow();
  Status clearShadow(const wire::Caller& caller);

 private:
  MetadataStore& store_;
};

}  // namespace shift::gms
