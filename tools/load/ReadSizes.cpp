#include "tools/load/ReadSizes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace shift::load {
namespace {

constexpr std::uint64_t kLargest = 1 * kGiB;  // each reader has a buffer of that size

Error refuse(std::string_view entry, const std::string& why) {
  return {ErrorCode::kInvalidArgument, "read size \"" + std::string(entry) + "\": " + why};
}

}  // namespace

Result<ReadSizes> ReadSizes::parse(std::string_view text) {
  ReadSizes sizes;
  sizes.sizes_.clear();
  double total = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view entry = text.substr(at, end - at);
    at = end + 1;
    const std::size_t colon = std::min(entry.find(':'), entry.size());
    const Result<std::uint64_t> bytes = parseByteSize(entry.substr(0, colon));
    if (!bytes) {
      return refuse(entry, bytes.error().message);
    }
    if (*bytes == 0 || *bytes > kLargest) {
      return refuse(entry, "must be from 1 B to 1 GiB");
    }
    double weight = 1;
    if (colon < entry.size()) {
      const std::string_view number = entry.substr(colon + 1);
      const auto [last, fault] = std::from_chars(number.data(), number.data() + number.size(), weight);
      if (fault != std::errc() || last != number.data() + number.size() || !std::isfinite(weight) ||
          weight <= 0) {
        return refuse(entry, "the weight after ':' must be a number above 0");
      }
    }
    total += weight;
    sizes.sizes_.push_back({*bytes, total});
  }
  return sizes;
}

std::uint64_t ReadSizes::largest() const {
  return std::max_element(sizes_.begin(), sizes_.end(),
                          [](const Weighted& a, const Weighted& b) { return a.bytes < b.bytes; })
      ->bytes;
}

std::uint64_t ReadSizes::pick(Draw& draw) const {
  const double at = draw.unit() * sizes_.back().upTo;
  for (const Weighted& size : sizes_) {
    if (at < size.upTo) {
      return size.bytes;
    }
  }
  return sizes_.back().bytes;
}

}  // namespace shift::load
