#include "shift-node/CacheKeeper.h"

#include <charconv>
#include <future>

#include "backing-store/StorePath.h"
#include "blocks/Geometry.h"

namespace shift::node {
namespace {

/** Few enough that their memory, some 8 MiB, is soon free again. */
constexpr std::size_t kSegmentsPerStep = 32;

/** "part:position"; nothing if it is not that. */
std::optional<std::pair<std::size_t, std::size_t>> parseCursor(const std::string& cursor) {
  std::size_t part = 0;
  std::size_t position = 0;
  const char* const end = cursor.data() + cursor.size();
  const auto [colon, fault] = std::from_chars(cursor.data(), end, part);
  if (fault != std::errc() || colon == end || *colon != ':') {
    return std::nullopt;
  }
  const auto [rest, second] = std::from_chars(colon + 1, end, position);
  return second == std::errc() && rest == end ? std::optional(std::pair(part, position)) : std::nullopt;
}

}  // namespace

Result<CacheKeeper::Evicted> CacheKeeper::evict(const std::string& path) {
  const Result<std::string> normal = store::normalisePath(path);
  if (!normal) {
    return normal.error();
  }
  Evicted evicted;
  if (const Result<store::FileInfo> info = parts_.store.stat(*normal)) {
    evictFile(*normal, *info, evicted);
    return evicted;
  }
  const Result<std::vector<store::ListedFile>> files = parts_.store.list(*normal);
  if (!files) {
    return files.error();
  }
  for (const store::ListedFile& file : *files) {
    evictFile(file.path, file.info, evicted);
  }
  return evicted;
}

void CacheKeeper::evictFile(const std::string& path, const store::FileInfo& info, Evicted& evicted) {
  const std::uint64_t blocks = (info.size + parts_.blockSize - 1) / parts_.blockSize;
  ++evicted.files;
  for (std::uint64_t index = 0; index < blocks; ++index) {
    const BlockId block = blockIdOf(parts_.store.name(), path, info.version, parts_.blockSize, index);
    const std::uint64_t length = blockLength(info.size, index, parts_.blockSize);
    for (const SegmentSlice& slice : cutIntoSegments(0, length, parts_.segmentSize)) {
      const SegmentKey key{block, slice.segment};
      if (parts_.engine.probe({&key, 1}).front()) {
        parts_.engine.remove(key);
        ++evicted.segments;
        evicted.bytes += slice.length;
      }
    }
  }
}

CacheKeeper::Evicted CacheKeeper::evictAll() {
  Evicted evicted;
  const std::uint64_t before = parts_.engine.status().usedBytes;
  for (std::size_t part = 0; part < parts_.engine.keyParts(); ++part) {
    for (const SegmentKey& key : parts_.engine.keysIn(part)) {
      parts_.engine.remove(key);
      ++evicted.segments;
    }
  }
  const std::uint64_t after = parts_.engine.status().usedBytes;
  evicted.bytes = before > after ? before - after : 0;
  return evicted;
}

Result<CacheKeeper::Step> CacheKeeper::verify(const std::string& cursor) {
  const auto from = parseCursor(cursor.empty() ? "0:0" : cursor);
  if (!from || from->first >= parts_.engine.keyParts()) {
    return Error{ErrorCode::kInvalidArgument, "\"" + cursor + "\" is not a cursor that this node gave"};
  }
  auto [part, position] = *from;
  std::vector<SegmentKey> some;
  std::size_t total = 0;
  {
    std::lock_guard lock(verifyMutex_);
    if (position == 0 || part != part_) {
      keys_ = parts_.engine.keysIn(part);
      part_ = part;
    }
    total = keys_.size();
    for (; position < total && some.size() < kSegmentsPerStep; ++position) {
      some.push_back(keys_[position]);
    }
  }
  Step step;
  const std::uint64_t failuresBefore = parts_.engine.status().totals.failures;
  if (!some.empty()) {
    std::promise<Verified> verified;
    parts_.engine.verify(some, [&](Verified result) { verified.set_value(result); });
    step.verified = verified.get_future().get();
  }
  step.failures = parts_.engine.status().totals.failures - failuresBefore;
  if (position < total) {
    step.cursor = std::to_string(part) + ":" + std::to_string(position);
  } else if (part + 1 < parts_.engine.keyParts()) {
    step.cursor = std::to_string(part + 1) + ":0";
  }
  return step;
}

std::uint64_t CacheKeeper::cachedBytes(const BlockId& block, std::uint64_t blockLength) const {
  const std::vector<SegmentSlice> slices = cutIntoSegments(0, blockLength, parts_.segmentSize);
  std::vector<SegmentKey> keys;
  keys.reserve(slices.size());
  for (const SegmentSlice& slice : slices) {
    keys.push_back({block, slice.segment});
  }
  const std::vector<bool> held = parts_.engine.probe(keys);
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    bytes += held[i] ? slices[i].length : 0;
  }
  return bytes;
}

}  // namespace shift::node
