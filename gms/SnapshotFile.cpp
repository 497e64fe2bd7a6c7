#include "gms/SnapshotFile.h"

#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <xxhash.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "common/ReplaceFile.h"

namespace shift::gms {
namespace {

using apache::thrift::TConfiguration;
using apache::thrift::protocol::TCompactProtocolT;
using apache::thrift::transport::TMemoryBuffer;

/** The last digit is the format's version. */
constexpr std::string_view kMark = "SHIFTGM1";
constexpr std::size_t kHeaderSize = kMark.size() + sizeof(std::uint64_t);

Error corrupt(const std::string& why) {
  return {ErrorCode::kCorrupt, "no snapshot of the GMS: " + why};
}

/** Thrift's own limit is 100 MB; ours is what its size fields can say. */
std::shared_ptr<TConfiguration> anySize() {
  return std::make_shared<TConfiguration>(std::numeric_limits<int>::max());
}

}  // namespace

std::string encodeSnapshot(const Snapshot& snapshot) {
  const auto buffer = std::make_shared<TMemoryBuffer>(anySize());
  TCompactProtocolT<TMemoryBuffer> protocol(buffer);
  toChanges(snapshot).write(&protocol);
  const std::string body = buffer->getBufferAsString();
  const std::uint64_t checksum = XXH3_64bits(body.data(), body.size());
  std::string bytes(kMark);
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return bytes + body;
}

Result<Snapshot> decodeSnapshot(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderSize || std::memcmp(bytes.data(), kMark.data(), kMark.size()) != 0) {
    return corrupt("the file begins otherwise");
  }
  const std::span<const std::byte> body = bytes.subspan(kHeaderSize);
  std::uint64_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + kMark.size(), sizeof checksum);
  if (checksum != XXH3_64bits(body.data(), body.size())) {
    return corrupt("the checksum is wrong");
  }
  if (body.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return corrupt("the file is too large");
  }
  wire::Changes changes;
  try {
    const auto size = static_cast<std::uint32_t>(body.size());
    // The buffer only observes: the cast takes away nothing that is ever used.
    auto* data = reinterpret_cast<std::uint8_t*>(const_cast<std::byte*>(body.data()));
    const auto buffer = std::make_shared<TMemoryBuffer>(data, size, TMemoryBuffer::OBSERVE, anySize());
    TCompactProtocolT<TMemoryBuffer> protocol(buffer, static_cast<std::int32_t>(size),
                                              static_cast<std::int32_t>(size));
    changes.read(&protocol);
  } catch (const apache::thrift::TException& fault) {
    return corrupt(fault.what());
  }
  SnapshotMerge merge(std::make_shared<const Snapshot>());
  merge.add(std::move(changes));
  return *merge.finish().snapshot;
}

Status saveSnapshot(const std::string& path, const Snapshot& snapshot) {
  return replaceFile(path, encodeSnapshot(snapshot));
}

Result<Snapshot> loadSnapshot(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return Error{ErrorCode::kNotFound, "there is no " + path};
  }
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  Result<Snapshot> snapshot = decodeSnapshot(std::as_bytes(std::span(bytes)));
  return snapshot ? std::move(snapshot) : Error{ErrorCode::kCorrupt, path + ": " + snapshot.error().message};
}

}  // namespace shift::gms
