#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "read-protocol/Frame.h"

namespace {

using namespace shift::protocol;

/** Whatever decodes must encode to something that decodes to the same again. */
template <typename Struct>
void checkRoundTrip(std::span<const std::byte> header,
                    shift::Result<Struct> (*decode)(std::span<const std::byte>),
                    std::string (*encode)(const Struct&)) {
  if (const auto value = decode(header)) {
    const std::string again = encode(*value);
    const auto decoded = decode(std::as_bytes(std::span(again)).subspan(kPrefixSize));
    if (!decoded || !(*decoded == *value)) {
      std::abort();
    }
  }
}

}  // namespace

/**
 * What a peer may send, byte by byte as it comes off the wire.
 */
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  const auto prefix = decodePrefix(input);
  if (!prefix || input.size() < kPrefixSize + prefix->headerSize) {
    return 0;
  }
  const auto header = input.subspan(kPrefixSize, prefix->headerSize);
  checkRoundTrip<shift::wire::GetRequest>(header, decodeGet, [](const auto& get) { return encodeGet(get); });
  checkRoundTrip<shift::wire::ReadAnswer>(header, decodeAnswer,
                                          [](const auto& answer) { return encodeAnswer(answer, 0); });
  checkRoundTrip<shift::wire::BatchRequest>(
      header, decodeBatch, [](const auto& batch) { return encodeBatch(batch, FrameKind::kGetBatch); });
  checkRoundTrip<shift::wire::BatchAnswer>(header, decodeBatchAnswer,
                                           [](const auto& answer) { return encodeBatchAnswer(answer); });
  checkRoundTrip<shift::wire::Taken>(header, decodeTaken,
                                     [](const auto& taken) { return encodeTaken(taken); });
  return 0;
}
