#pragma once

#include <string>
#include <string_view>

namespace shift::control {

/**
 * The bucket of a file under the default mapping: its directory, which for training data is a table's
 * partition. Written `store:relative/dir`; files at the root are in `store:`. `path` is already normalised.
 */
std::string directoryBucket(std::string_view store, std::string_view path);

}  // namespace shift::control
