#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "blocks/Checksum.h"
#include "blocks/Geometry.h"
#include "client-lib/ReadPlan.h"
#include "thrift/read_types.h"

namespace shift::client {

/**
 * Whether the bytes of an answer are those of the file that were asked for: each segment's part is summed up
 * as it arrives and compared with the checksum that the node sent along. One thread.
 */
class AnswerCheck {
 public:
  /** Begins anew, with the answer to this get. */
  void begin(const PlannedGet& get, const wire::ReadAnswer& answer);
  /** The next bytes of the body; together they are as many as the get asked for. */
  void add(std::span<const std::byte> bytes);
  /** After the last byte. */
  bool isGenuine() const { return isGenuine_; }

 private:
  void beginSlice();

  BlockId block_;
  std::vector<SegmentSlice> slices_;
  std::vector<std::int64_t> checksums_;  // one per slice
  std::size_t slice_ = 0;                // which of them is arriving
  std::size_t left_ = 0;                 // bytes of it that are still to come
  RunningChecksum sum_;
  bool isGenuine_ = false;
};

}  // namespace shift::client
