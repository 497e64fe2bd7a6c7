#include <charconv>

#include "tools/sim/Commands.h"

namespace shift::sim {

namespace {

Result<double> numberIn(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Error{ErrorCode::kInvalidArgument, "\"" + std::string(text) + "\" is not a number"};
  }
  return value;
}

}  // namespace

Result<double> parseScale(const std::string& text) {
  const std::size_t slash = text.find('/');
  const Result<double> above = numberIn(std::string_view(text).substr(0, slash));
  const Result<double> below =
      slash == std::string::npos ? Result<double>(1) : numberIn(std::string_view(text).substr(slash + 1));
  if (!above || !below) {
    return above ? below : above;
  }
  const double scale = *above / *below;
  if (!(scale > 0 && scale <= 1)) {
    return Error{ErrorCode::kInvalidArgument, "a scale must be above 0 and at most 1"};
  }
  return scale;
}

}  // namespace shift::sim
