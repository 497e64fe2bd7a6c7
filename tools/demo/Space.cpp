#include "tools/demo/Space.h"

#include <fmt/format.h>

#include <filesystem>

#include "common/ByteSize.h"

namespace shift::demo {
namespace {

constexpr std::uint64_t kDatabasesAndLogs = 64 * kMiB;

}  // namespace

std::uint64_t spaceNeeded(const Shape& shape) {
  return shape.datasetBytes() + shape.flashBytes() + kDatabasesAndLogs;
}

Status checkSpace(const std::string& directory, std::uint64_t available, const Shape& shape) {
  if (available >= spaceNeeded(shape)) {
    return {};
  }
  return Error{
      ErrorCode::kExhausted,
      fmt::format("{} has {} left and the tour needs {}; set TMPDIR to a directory with more, or take a "
                  "smaller tour with --scale",
                  directory, formatByteSize(static_cast<double>(available)),
                  formatByteSize(static_cast<double>(spaceNeeded(shape))))};
}

Status checkSpace(const std::string& directory, const Shape& shape) {
  std::error_code fault;
  const std::filesystem::space_info space = std::filesystem::space(directory, fault);
  return fault ? Status(Error::fromErrno(fault.value(), "looking at the space left in " + directory))
               : checkSpace(directory, space.available, shape);
}

}  // namespace shift::demo
