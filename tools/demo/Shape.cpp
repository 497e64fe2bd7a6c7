#include "tools/demo/Shape.h"

#include <algorithm>
#include <cmath>

#include "blocks/Geometry.h"

namespace shift::demo {
namespace {

/** An engine takes no flash file of fewer segments. */
constexpr std::uint64_t kFewestSegments = 16;

}  // namespace

std::uint64_t Shape::flashPerNode() const {
  const double wanted = cacheShare * static_cast<double>(datasetBytes()) / nodes;
  const auto segments = static_cast<std::uint64_t>(std::llround(wanted / kDefaultSegmentSize));
  return std::max(segments, kFewestSegments) * kDefaultSegmentSize;
}

Duration Shape::diskTime(std::uint64_t bytes) const {
  return disks.serviceTime(blockSize) * static_cast<Duration::rep>(bytes / blockSize) / disks.disks;
}

Shape scaledBy(double scale) {
  Shape shape;
  shape.filesPerPartition =
      static_cast<std::uint32_t>(std::max(1.0, std::round(shape.filesPerPartition * scale)));
  return shape;
}

}  // namespace shift::demo
