#include "client-lib/AnswerCheck.h"

#include <algorithm>

namespace shift::client {

void AnswerCheck::begin(const PlannedGet& get, const wire::ReadAnswer& answer) {
  block_ = get.block;
  slices_.clear();
  if (answer.segmentSize > 0) {
    slices_ =
        cutIntoSegments(get.range.offset, get.range.length, static_cast<std::uint32_t>(answer.segmentSize));
  }
  checksums_ = answer.checksums;
  isGenuine_ = !slices_.empty() && slices_.size() == checksums_.size();
  slice_ = 0;
  if (isGenuine_) {
    beginSlice();
  }
}

void AnswerCheck::add(std::span<const std::byte> bytes) {
  while (isGenuine_ && !bytes.empty()) {
    const std::span<const std::byte> part = bytes.first(std::min(left_, bytes.size()));
    sum_.add(part);
    bytes = bytes.subspan(part.size());
    left_ -= part.size();
    if (left_ == 0) {
      isGenuine_ = sum_.value() == static_cast<std::uint64_t>(checksums_[slice_]);
      if (++slice_ == slices_.size()) {
        return;
      }
      beginSlice();
    }
  }
}

void AnswerCheck::beginSlice() {
  sum_.begin({block_, slices_[slice_].segment}, slices_[slice_].offset);
  left_ = slices_[slice_].length;
}

}  // namespace shift::client
