#pragma once

#include <cstdint>
#include <string>

#include "common/Result.h"
#include "tools/demo/Shape.h"

namespace shift::demo {

/** What a tour of this shape puts on disk: dataset, flash, and some for databases and logs. */
std::uint64_t spaceNeeded(const Shape& shape);

/** Whether a directory with so much left has room for it. The error says what to do. */
Status checkSpace(const std::string& directory, std::uint64_t available, const Shape& shape);

/** The same of a directory as it is. */
Status checkSpace(const std::string& directory, const Shape& shape);

}  // namespace shift::demo
