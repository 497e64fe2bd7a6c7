#include "common/ByteSize.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "common/NumberWithUnit.h"

namespace shift {
namespace {

struct SizeUnit {
  std::string_view name;
  double bytes;
};

constexpr std::array kSizeUnits{
    SizeUnit{"", 1},         SizeUnit{"B", 1},        SizeUnit{"KiB", 0x1p10}, SizeUnit{"MiB", 0x1p20},
    SizeUnit{"GiB", 0x1p30}, SizeUnit{"TiB", 0x1p40}, SizeUnit{"kB", 1e3},     SizeUnit{"KB", 1e3},
    SizeUnit{"MB", 1e6},     SizeUnit{"GB", 1e9},     SizeUnit{"TB", 1e12},
};

constexpr std::array kBinaryUnits{SizeUnit{"TiB", 0x1p40}, SizeUnit{"GiB", 0x1p30}, SizeUnit{"MiB", 0x1p20},
                                  SizeUnit{"KiB", 0x1p10}};

}  // namespace

Result<std::uint64_t> parseByteSize(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("\"{}\" is not a size: {}", text, why)};
  };
  const auto parts = splitNumberAndUnit(text);
  if (!parts) {
    return refuse("write a number and a unit, such as 256KiB or 1.5GiB");
  }
  for (const SizeUnit& unit : kSizeUnits) {
    if (parts->unit != unit.name) {
      continue;
    }
    const double bytes = parts->number * unit.bytes;
    if (bytes >= 0x1p63) {
      return refuse("it is larger than 8 EiB");
    }
    if (bytes != std::floor(bytes)) {
      return refuse("it is not a whole number of bytes");
    }
    return static_cast<std::uint64_t>(bytes);
  }
  return refuse(fmt::format("unknown unit \"{}\"; use B, KiB, MiB, GiB, TiB, kB, MB, GB or TB", parts->unit));
}

std::string formatByteSize(double bytes) {
  for (const SizeUnit& unit : kBinaryUnits) {
    if (std::abs(bytes) >= unit.bytes) {
      return fmt::format("{:.1f} {}", bytes / unit.bytes, unit.name);
    }
  }
  return fmt::format("{:.0f} B", bytes);
}

std::string formatExactByteSize(std::uint64_t bytes) {
  for (const SizeUnit& unit : kBinaryUnits) {
    const auto size = static_cast<std::uint64_t>(unit.bytes);
    if (bytes >= size && bytes % size == 0) {
      return fmt::format("{}{}", bytes / size, unit.name);
    }
  }
  return fmt::format("{}B", bytes);
}

}  // namespace shift
