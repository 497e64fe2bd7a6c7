#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "blocks/Geometry.h"
#include "common/Result.h"
#include "thrift/read_types.h"

namespace shift::protocol {

/**
 * A frame of the read protocol, both ways:
 *
 *   bytes 0–3    "SHF1": protocol and its version
 *   byte  4      kind
 *   bytes 5–7    zero
 *   bytes 8–11   length of the header, little-endian
 *   bytes 12–15  length of the body, little-endian
 *   header       a Thrift struct, compact encoding
 *   body         raw bytes
 *
 * Lengths are checked before anything is allocated; whatever does not fit these rules is the end of the
 * connection.
 */
inline constexpr std::size_t kPrefixSize = 16;
inline constexpr std::uint32_t kMaxHeaderSize = 64 * kKiB;

/** One get asks for at most this much. Clients cut longer reads, so that no answer blocks a connection for
 * long. */
inline constexpr std::uint64_t kMaxGetLength = 8 * kMiB;

/** Ranges in one batch. */
inline constexpr std::size_t kMaxBatch = 256;

enum class FrameKind : std::uint8_t {
  kGet = 1,          // header GetRequest, no body; answered by kAnswer
  kAnswer = 2,       // header ReadAnswer, body = the bytes of a hit
  kGetBatch = 3,     // header BatchRequest; answered by a kAnswer for each range
  kProbe = 4,        // header BatchRequest: which of these are here? Answered by kBatchAnswer
  kPrefetch = 5,     // header BatchRequest: bring these, if admitted; answered at once by kBatchAnswer
  kGetChecksum = 6,  // header GetRequest; answered by kAnswer with checksums and no body
  kBatchAnswer = 7,  // header BatchAnswer, no body
  kTaken = 8,        // header Taken, no body; not answered
};

/** Whether it is for a client to send. */
bool isRequest(FrameKind kind);

struct Prefix {
  FrameKind kind = FrameKind::kGet;
  std::uint32_t headerSize = 0;
  std::uint32_t bodySize = 0;
};

/** Reads the first kPrefixSize bytes of a frame. Refuses everything that no honest peer sends. */
Result<Prefix> decodePrefix(std::span<const std::byte> bytes);

/** The prefix and header of a frame, ready to send; the body, if any, follows it. */
std::string encodeGet(const wire::GetRequest& request, FrameKind kind = FrameKind::kGet);
std::string encodeBatch(const wire::BatchRequest& request, FrameKind kind);
std::string encodeTaken(const wire::Taken& taken);
std::string encodeBatchAnswer(const wire::BatchAnswer& answer);
std::string encodeAnswer(const wire::ReadAnswer& answer, std::uint32_t bodySize);

/** Reads a header. Bytes that are not that struct, the whole of it and nothing more, are refused. */
Result<wire::GetRequest> decodeGet(std::span<const std::byte> header);
Result<wire::ReadAnswer> decodeAnswer(std::span<const std::byte> header);
/** Also refuses more ranges than kMaxBatch, and none. */
Result<wire::BatchRequest> decodeBatch(std::span<const std::byte> header);
Result<wire::BatchAnswer> decodeBatchAnswer(std::span<const std::byte> header);
Result<wire::Taken> decodeTaken(std::span<const std::byte> header);

}  // namespace shift::protocol
