#include "gms/rest/RestText.h"

#include <charconv>

namespace shift::gms {
namespace {

/** Cuts the next name off a path that begins with "/". */
std::string_view takeName(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view name = path.substr(0, path.find('/'));
  path.remove_prefix(name.size());
  return name;
}

}  // namespace

std::optional<std::string> percentDecoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned code = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() != 2 || parsed.ptr != digits.data() + digits.size()) {
      return std::nullopt;
    }
    plain += static_cast<char>(code);
    i += 2;
  }
  return plain;
}

std::optional<std::vector<std::string>> matchPath(std::string_view pattern, std::string_view path) {
  std::vector<std::string> names;
  while (pattern.starts_with('/') && path.starts_with('/')) {
    const std::string_view wanted = takeName(pattern);
    const std::string_view given = takeName(path);
    if (!wanted.starts_with('{')) {
      if (wanted != given) {
        return std::nullopt;
      }
      continue;
    }
    std::optional<std::string> name = percentDecoded(given);
    if (!name || name->empty()) {
      return std::nullopt;
    }
    names.push_back(*std::move(name));
  }
  return pattern.empty() && path.empty() ? std::optional(names) : std::nullopt;
}

}  // namespace shift::gms
