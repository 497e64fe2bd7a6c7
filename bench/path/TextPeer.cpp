#include "bench/path/TextPeer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <stdexcept>

namespace shift::bench {
namespace {

/** Room for a header; what it catches of the body is copied once more. */
constexpr std::size_t kHeaderRoom = 512;
constexpr std::size_t kTrailerRoom = 16;

}  // namespace

void TextSession::read(std::size_t item, std::span<std::byte> into) {
  stream_.send(dialect_.request(item));
  std::array<std::byte, kHeaderRoom> begin;
  std::size_t received = 0;
  std::optional<AnswerShape> shape;
  while (!shape) {
    if (received == begin.size()) {
      throw std::runtime_error("the server's header is longer than any it should send");
    }
    received += stream_.receiveSome(std::span(begin).subspan(received));
    shape = dialect_.shapeOf({reinterpret_cast<const char*>(begin.data()), received});
  }
  if (shape->bodyBytes != into.size() || shape->trailerBytes > kTrailerRoom) {
    throw std::runtime_error("the server sent " + std::to_string(shape->bodyBytes) + " bytes, not " +
                             std::to_string(into.size()));
  }
  const std::size_t early = std::min(received - shape->headerBytes, into.size());
  std::memcpy(into.data(), begin.data() + shape->headerBytes, early);
  std::array<std::byte, kTrailerRoom> trailer;
  const std::size_t left = shape->trailerBytes + into.size() - (received - shape->headerBytes);
  const std::size_t leftOfTrailer = std::min(left, shape->trailerBytes);
  if (!stream_.receiveAll(into.subspan(early), std::span(trailer).first(leftOfTrailer))) {
    throw std::runtime_error("the server closed the connection before the end of an answer");
  }
}

std::size_t numberAfter(std::string_view word, std::string_view text) {
  const std::size_t at = text.find(word);
  std::size_t number = 0;
  if (at != std::string_view::npos) {
    const char* const begin = text.data() + at + word.size();
    if (std::from_chars(begin, text.data() + text.size(), number).ec == std::errc()) {
      return number;
    }
  }
  throw std::runtime_error("an unexpected answer: " + std::string(text));
}

}  // namespace shift::bench
