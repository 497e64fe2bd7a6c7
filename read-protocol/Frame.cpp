#include "read-protocol/Frame.h"

#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <cstring>
#include <memory>

namespace shift::protocol {
namespace {

using apache::thrift::protocol::TCompactProtocolT;
using apache::thrift::transport::TMemoryBuffer;

constexpr char kMagic[4] = {'S', 'H', 'F', '1'};

// The protocol runs between machines of either byte order; numbers are written byte by byte.
void putNumber(std::string& out, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<char>((number >> shift) & 0xff));
  }
}

std::uint32_t getNumber(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (int i = 3; i >= 0; --i) {
    number = (number << 8) | std::to_integer<std::uint32_t>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return number;
}

Error malformed(std::string_view what) {
  return {ErrorCode::kCorrupt, "malformed frame: " + std::string(what)};
}

template <typename Struct>
std::string encode(FrameKind kind, const Struct& header, std::uint32_t bodySize) {
  auto buffer = std::make_shared<TMemoryBuffer>();
  TCompactProtocolT<TMemoryBuffer> protocol(buffer);
  header.write(&protocol);
  std::uint8_t* bytes = nullptr;
  std::uint32_t size = 0;
  buffer->getBuffer(&bytes, &size);

  std::string frame;
  frame.reserve(kPrefixSize + size);
  frame.append(kMagic, sizeof kMagic);
  frame.push_back(static_cast<char>(kind));
  frame.append(3, '\0');
  putNumber(frame, size);
  putNumber(frame, bodySize);
  frame.append(reinterpret_cast<const char*>(bytes), size);
  return frame;
}

template <typename Struct>
Result<Struct> decode(std::span<const std::byte> header) {
  // Thrift reports every fault by throwing; this is where its exceptions end.
  try {
    auto* bytes = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(header.data()));
    const auto size = static_cast<std::uint32_t>(header.size());
    auto buffer = std::make_shared<TMemoryBuffer>(bytes, size, TMemoryBuffer::OBSERVE);
    // No string or list can be longer than the header that holds it: a lying length allocates nothing.
    TCompactProtocolT<TMemoryBuffer> protocol(buffer, static_cast<std::int32_t>(size),
                                              static_cast<std::int32_t>(size));
    Struct value;
    value.read(&protocol);
    if (buffer->available_read() != 0) {
      return malformed("bytes are left over after the header");
    }
    return value;
  } catch (const std::exception& fault) {
    return malformed(fault.what());
  }
}

}  // namespace

Result<Prefix> decodePrefix(std::span<const std::byte> bytes) {
  if (bytes.size() < kPrefixSize) {
    return malformed("shorter than its prefix");
  }
  if (std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0) {
    return malformed("it does not begin with SHF1");
  }
  Prefix prefix;
  const auto kind = std::to_integer<std::uint8_t>(bytes[4]);
  if (kind < static_cast<std::uint8_t>(FrameKind::kGet) ||
      kind > static_cast<std::uint8_t>(FrameKind::kTaken)) {
    return malformed("unknown kind");
  }
  prefix.kind = static_cast<FrameKind>(kind);
  if (bytes[5] != std::byte{0} || bytes[6] != std::byte{0} || bytes[7] != std::byte{0}) {
    return malformed("reserved bytes are not zero");
  }
  prefix.headerSize = getNumber(bytes, 8);
  prefix.bodySize = getNumber(bytes, 12);
  if (prefix.headerSize == 0 || prefix.headerSize > kMaxHeaderSize) {
    return malformed("header length out of range");
  }
  if (prefix.bodySize > (prefix.kind == FrameKind::kAnswer ? kMaxGetLength : 0)) {
    return malformed("body length out of range");
  }
  return prefix;
}

bool isRequest(FrameKind kind) {
  return kind != FrameKind::kAnswer && kind != FrameKind::kBatchAnswer;
}

std::string encodeGet(const wire::GetRequest& request, FrameKind kind) {
  return encode(kind, request, 0);
}

std::string encodeBatch(const wire::BatchRequest& request, FrameKind kind) {
  return encode(kind, request, 0);
}

std::string encodeTaken(const wire::Taken& taken) {
  return encode(FrameKind::kTaken, taken, 0);
}

std::string encodeBatchAnswer(const wire::BatchAnswer& answer) {
  return encode(FrameKind::kBatchAnswer, answer, 0);
}

std::string encodeAnswer(const wire::ReadAnswer& answer, std::uint32_t bodySize) {
  return encode(FrameKind::kAnswer, answer, bodySize);
}

Result<wire::GetRequest> decodeGet(std::span<const std::byte> header) {
  return decode<wire::GetRequest>(header);
}

Result<wire::ReadAnswer> decodeAnswer(std::span<const std::byte> header) {
  return decode<wire::ReadAnswer>(header);
}

Result<wire::BatchRequest> decodeBatch(std::span<const std::byte> header) {
  Result<wire::BatchRequest> request = decode<wire::BatchRequest>(header);
  if (request && (request->gets.empty() || request->gets.size() > kMaxBatch)) {
    return malformed("a batch of no range, or of too many");
  }
  return request;
}

Result<wire::BatchAnswer> decodeBatchAnswer(std::span<const std::byte> header) {
  return decode<wire::BatchAnswer>(header);
}

Result<wire::Taken> decodeTaken(std::span<const std::byte> header) {
  return decode<wire::Taken>(header);
}

}  // namespace shift::protocol
