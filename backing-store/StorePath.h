#pragma once

#include <string>
#include <string_view>

#include "common/Result.h"

namespace shift::store {

/**
 * The one spelling of a path below a store's root: no leading, trailing or double '/', no ".". Refuses "..",
 * NUL, the empty path, and what is longer than 4096 bytes. Identity, buckets and rules all use this spelling.
 */
Result<std::string> normalisePath(std::string_view path);

/** "store:path" is as good as the path alone, where people say what they mean. */
std::string_view withoutStore(std::string_view path, std::string_view store);

}  // namespace shift::store
