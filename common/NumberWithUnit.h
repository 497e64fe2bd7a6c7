#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace shift {

struct NumberWithUnit {
  double number = 0;
  std::string_view unit;  // what follows the number, blanks removed; may be empty
};

/** Splits "1.5 GiB" into 1.5 and "GiB". Nothing if the text does not start with a finite, non-negative
 * number. */
inline std::optional<NumberWithUnit> splitNumberAndUnit(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  const auto isBlank = [&](char c) { return kBlank.find(c) != std::string_view::npos; };
  while (!text.empty() && isBlank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && isBlank(text.back())) {
    text.remove_suffix(1);
  }
  NumberWithUnit result;
  const auto [rest, fault] =
      std::from_chars(text.data(), text.data() + text.size(), result.number, std::chars_format::fixed);
  if (fault != std::errc() || !(result.number >= 0) || result.number > 1e30) {
    return std::nullopt;
  }
  result.unit = text.substr(static_cast<std::size_t>(rest - text.data()));
  while (!result.unit.empty() && isBlank(result.unit.front())) {
    result.unit.remove_prefix(1);
  }
  return result;
}

}  // namespace shift
