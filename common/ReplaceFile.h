#pragma once

#include <string>
#include <string_view>

#include "common/Result.h"

namespace shift {

/** Puts a file in place as a whole: whoever looks, also after a crash, sees the old one or this one. */
Status replaceFile(const std::string& path, std::string_view content);

}  // namespace shift
