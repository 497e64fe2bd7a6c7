#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shift::gms {

/** "train%2F7" to "train/7"; nothing if a % is not followed by two digits. */
std::optional<std::string> percentDecoded(std::string_view text);

/**
 * What stands in the places of {…} if the path is one of the pattern, decoded; nothing if it is not. A name
 * is never empty and never holds a "/" that was not escaped.
 */
std::optional<std::vector<std::string>> matchPath(std::string_view pattern, std::string_view path);

}  // namespace shift::gms
