#include "gms/store/ChangeCursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace shift::gms {

std::string encodeCursor(const ChangeCursor& cursor) {
  return fmt::format("{}.{}.{}.{}.{}.{}", cursor.instance, cursor.reset ? 1 : 0, cursor.target, cursor.stage,
                     cursor.revision, cursor.key);
}

Result<ChangeCursor> decodeCursor(std::string_view text) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  std::int64_t numbers[4] = {};
  const char* at = text.data() + std::min(dot + 1, text.size());
  const char* const end = text.data() + text.size();
  for (std::int64_t& number : numbers) {
    const auto [next, fault] = std::from_chars(at, end, number);
    if (fault != std::errc() || next == end || *next != '.' || number < 0) {
      return Error{ErrorCode::kInvalidArgument, "the cursor is not one that was given out"};
    }
    at = next + 1;
  }
  return ChangeCursor{.instance = std::string(text.substr(0, dot)),
                      .reset = numbers[0] != 0,
                      .target = numbers[1],
                      .stage = numbers[2],
                      .revision = numbers[3],
                      .key = std::string(at, end)};
}

}  // namespace shift::gms
