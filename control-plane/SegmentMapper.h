#pragma once

#include <cstdint>
#include <regex>
#include <string>
#include <string_view>

#include "control-plane/Parameters.h"
#include "control-plane/ReadRequest.h"

namespace shift::control {

/** A bucket's short name: a hash of its key. Valid within one process. */
using BucketId = std::uint64_t;

/** The id of the bucket that is written `key`. */
BucketId bucketIdOf(std::string_view key);

/**
 * Which bucket a request belongs to. Immutable; may be shared by threads. A request lies in one block and in
 * the range mapping belongs to the range in which it begins.
 */
class SegmentMapper {
 public:
  /** The parameters have been checked. */
  explicit SegmentMapper(const Parameters& parameters);

  /** Without building the key, where the mapping allows it: this is on the path of every request. */
  BucketId bucketOf(const ReadRequest& request) const;

  /** The key in full, as people read it: `store:dir`, `store:dir/file`, `store:table`,
   * `store:dir/file#range`. */
  std::string keyOf(const ReadRequest& request) const;

  Mapping mapping() const { return mapping_; }

 private:
  std::string tableOf(const ReadRequest& request) const;

  Mapping mapping_;
  std::uint64_t rangeBytes_;
  std::regex tablePattern_;
};

}  // namespace shift::control
