#include "gms/spec/TextRules.h"

#include <fmt/format.h>

#include <cstdint>

#include "backing-store/StorePath.h"

namespace shift::gms {
namespace {

struct Utf8Form {
  unsigned char mask;
  unsigned char lead;
  int following;
  std::uint32_t smallest;  // what needs this form: shorter ones in it are not well-formed
};
constexpr Utf8Form kForms[] = {
    {0x80, 0x00, 0, 0}, {0xe0, 0xc0, 1, 0x80}, {0xf0, 0xe0, 2, 0x800}, {0xf8, 0xf0, 3, 0x10000}};

/** The length of the character that `text` begins with; 0 if it is not well-formed, or a control character.
 */
std::size_t plainCharacter(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  for (const Utf8Form& form : kForms) {
    if ((first & form.mask) != form.lead) {
      continue;
    }
    const auto length = static_cast<std::size_t>(form.following) + 1;
    if (text.size() < length) {
      return 0;
    }
    std::uint32_t code = first & static_cast<unsigned char>(~form.mask);
    for (std::size_t i = 1; i < length; ++i) {
      const auto next = static_cast<unsigned char>(text[i]);
      if ((next & 0xc0U) != 0x80U) {
        return 0;
      }
      code = code << 6U | (next & 0x3fU);
    }
    const bool isSurrogate = code >= 0xd800 && code < 0xe000;
    const bool isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    return code < form.smallest || code > 0x10ffff || isSurrogate || isControl ? 0 : length;
  }
  return 0;
}

}  // namespace

bool isPlainText(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = plainCharacter(text);
    if (length == 0) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

void checkText(Faults& faults, std::string_view field, std::string_view text, std::size_t maxLength) {
  if (text.size() > maxLength) {
    faults.push_back(
        fmt::format("{} is {} bytes long; at most {} are allowed", field, text.size(), maxLength));
  } else if (!isPlainText(text)) {
    faults.push_back(fmt::format("{} contains a control character, or is not UTF-8", field));
  }
}

void checkName(Faults& faults, std::string_view field, std::string_view name) {
  if (name.empty()) {
    faults.push_back(fmt::format("{} is missing", field));
  } else {
    checkText(faults, field, name);
  }
}

std::string checkDirectory(Faults& faults, std::string_view field, std::string_view directory) {
  const std::size_t before = faults.size();
  checkText(faults, field, directory, kMaxDirectoryLength);
  if (faults.size() > before) {
    return "";
  }
  Result<std::string> normal = store::normalisePath(directory);
  if (!normal) {
    faults.push_back(fmt::format("{}: {}", field, normal.error().message));
    return "";
  }
  return *std::move(normal);
}

}  // namespace shift::gms
