#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "read-protocol/Frame.h"

/**
 * What a peer may send, byte by byte as it comes off the wire. Whatever decodes must encode to something that
 * decodes to the same again.
 */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shift::protocol;
  const auto input = std::as_bytes(std::span(data, size));
  const auto prefix = decodePrefix(input);
  if (!prefix || input.size() < kPrefixSize + prefix->headerSize) {
    return 0;
  }
  const auto header = input.subspan(kPrefixSize, prefix->headerSize);
  if (const auto get = decodeGet(header)) {
    const std::string again = encodeGet(*get);
    const auto decoded = decodeGet(std::as_bytes(std::span(again)).subspan(kPrefixSize));
    if (!decoded || !(*decoded == *get)) {
      std::abort();
    }
  }
  if (const auto answer = decodeAnswer(header)) {
    const std::string again = encodeAnswer(*answer, 0);
    const auto decoded = decodeAnswer(std::as_bytes(std::span(again)).subspan(kPrefixSize));
    if (!decoded || !(*decoded == *answer)) {
      std::abort();
    }
  }
  return 0;
}
