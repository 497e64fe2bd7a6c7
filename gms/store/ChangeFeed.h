#pragma once

#include <string>

#include "common/Result.h"
#include "gms/store/MetadataStore.h"

namespace shift::gms {

/**
 * What has changed since a revision, page by page. Costs one look at one row when nothing has. Without a
 * state of its own: any GMS process on the database can answer any page. Thread-safe.
 *
 * A cursor says up to which revision the pages go, which kind comes next and where in it: entries that change
 * while a follower takes its pages leave the range, and come with its next question.
 */
class ChangeFeed {
 public:
  explicit ChangeFeed(MetadataStore& store) : store_(store) {}

  /** kInvalidArgument for a cursor that is none. */
  Result<wire::Changes> changesSince(const wire::ChangesRequest& request);

 private:
  MetadataStore& store_;
};

}  // namespace shift::gms
