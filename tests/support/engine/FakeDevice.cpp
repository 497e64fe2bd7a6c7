#include "tests/support/engine/FakeDevice.h"

#include <algorithm>
#include <cstring>

namespace shift::test {

void FakeDevice::start(std::vector<node::IoRequest> requests) {
  for (const node::IoRequest& request : requests) {
    {
      std::lock_guard lock(image_->mutex);
      std::byte* const place = image_->bytes.data() + request.offset;
      if (request.kind == node::IoKind::kRead) {
        std::memcpy(request.data, place, request.length);
      } else {
        std::memcpy(place, request.data, request.length);
        if (image_->isRecording) {
          image_->events.push_back({request.offset, {request.data, request.data + request.length}});
        }
      }
    }
    request.done(0);
  }
}

Status FakeDevice::doSync() {
  std::lock_guard lock(image_->mutex);
  if (image_->isRecording) {
    image_->events.push_back({});
  }
  return {};
}

void PatternDevice::start(std::vector<node::IoRequest> requests) {
  for (const node::IoRequest& request : requests) {
    {
      std::lock_guard lock(mutex_);
      for (std::uint32_t at = 0; at < request.length; at += node::kUnitBytes) {
        const std::uint64_t unit = (request.offset + at) / node::kUnitBytes;
        if (request.kind == node::IoKind::kRead) {
          readUnit(unit, request.data + at);
        } else {
          writeUnit(unit, request.data + at);
        }
      }
    }
    request.done(0);
  }
}

void PatternDevice::readUnit(std::uint64_t unit, std::byte* into) const {
  if (const auto other = image_->others.find(unit); other != image_->others.end()) {
    std::copy(other->second.begin(), other->second.end(), into);
    return;
  }
  const std::uint64_t word = image_->words[unit];
  for (std::size_t at = 0; at < node::kUnitBytes; at += sizeof word) {
    std::memcpy(into + at, &word, sizeof word);
  }
}

void PatternDevice::writeUnit(std::uint64_t unit, const std::byte* from) {
  // A unit equal to itself shifted by one word consists of one word.
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  if (std::memcmp(from, from + kWord, node::kUnitBytes - kWord) == 0) {
    std::memcpy(&image_->words[unit], from, kWord);
    image_->others.erase(unit);
  } else {
    image_->others[unit].assign(from, from + node::kUnitBytes);
  }
}

}  // namespace shift::test
