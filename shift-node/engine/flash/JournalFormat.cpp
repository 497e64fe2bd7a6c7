#include "shift-node/engine/flash/JournalFormat.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "blocks/Checksum.h"

namespace shift::node {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::uint64_t kSuperblockMagic = 0x3153'4843'4653'4853;  // "SHSFCHS1"
constexpr std::uint32_t kPageMagic = 0x4c4a'4853;                  // "SHJL"
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kChecksumAt = kUnitBytes - sizeof(std::uint64_t);
constexpr std::size_t kPageHeaderBytes = 40;
static_assert(kPageHeaderBytes + kPageRecordBytes == kChecksumAt);

enum class RecordType : std::uint8_t { kInsert = 1, kRemove = 2 };
constexpr std::size_t kInsertBytes = 52;  // and 6 for each extent
constexpr std::size_t kExtentBytes = 6;
constexpr std::size_t kRemoveBytes = 24;
static_assert(kInsertBytes + kMaxExtents * kExtentBytes <= kPageRecordBytes);

class Writer {
 public:
  explicit Writer(std::span<std::byte> into) : into_(into) {}

  template <typename T>
  void put(T value) {
    std::memcpy(into_.data() + at_, &value, sizeof value);
    at_ += sizeof value;
  }

 private:
  std::span<std::byte> into_;
  std::size_t at_ = 0;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> from) : from_(from) {}

  template <typename T>
  T get() {
    T value;
    std::memcpy(&value, from_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

 private:
  std::span<const std::byte> from_;
  std::size_t at_ = 0;
};

/** Over all but the checksum itself; seeded, so that a page in another's place is noticed. */
std::uint64_t pageChecksum(std::span<const std::byte> page, std::uint64_t formatId, std::uint64_t place) {
  return checksumOf({{formatId, place}, kPageMagic}, 0, page.first(kChecksumAt));
}

void seal(std::span<std::byte> page, std::uint64_t formatId, std::uint64_t place) {
  Writer(page.subspan(kChecksumAt)).put(pageChecksum(page, formatId, place));
}

bool isSealed(std::span<const std::byte> page, std::uint64_t formatId, std::uint64_t place) {
  return Reader(page.subspan(kChecksumAt)).get<std::uint64_t>() == pageChecksum(page, formatId, place);
}

InsertRecord decodeInsert(std::span<const std::byte> bytes) {
  Reader reader(bytes.subspan(1));
  InsertRecord record;
  const auto extents = reader.get<std::uint8_t>();
  reader.get<std::uint16_t>();
  record.key.segment = reader.get<std::uint32_t>();
  record.key.block.high = reader.get<std::uint64_t>();
  record.key.block.low = reader.get<std::uint64_t>();
  record.size = reader.get<std::uint32_t>();
  record.checksum = reader.get<std::uint64_t>();
  record.score = reader.get<double>();
  record.lastUse = reader.get<std::uint64_t>();
  record.extents.reserve(extents);
  for (unsigned i = 0; i < extents; ++i) {
    const auto first = reader.get<std::uint32_t>();
    record.extents.push_back({first, reader.get<std::uint16_t>()});
  }
  return record;
}

RemoveRecord decodeRemove(std::span<const std::byte> bytes) {
  Reader reader(bytes.subspan(4));
  RemoveRecord record;
  record.key.segment = reader.get<std::uint32_t>();
  record.key.block.high = reader.get<std::uint64_t>();
  record.key.block.low = reader.get<std::uint64_t>();
  return record;
}

}  // namespace

void encode(const Superblock& superblock, std::span<std::byte> page) {
  std::fill(page.begin(), page.end(), std::byte{0});
  Writer writer(page);
  writer.put(kSuperblockMagic);
  writer.put(kVersion);
  writer.put(kUnitBytes);
  writer.put(superblock.formatId);
  writer.put(superblock.deviceBytes);
  writer.put(superblock.segmentSize);
  writer.put(superblock.journalPages);
  seal(page, kSuperblockMagic, 0);
}

std::optional<Superblock> decodeSuperblock(std::span<const std::byte> page) {
  Reader reader(page);
  if (reader.get<std::uint64_t>() != kSuperblockMagic || reader.get<std::uint32_t>() != kVersion ||
      reader.get<std::uint32_t>() != kUnitBytes || !isSealed(page, kSuperblockMagic, 0)) {
    return std::nullopt;
  }
  Superblock superblock;
  superblock.formatId = reader.get<std::uint64_t>();
  superblock.deviceBytes = reader.get<std::uint64_t>();
  superblock.segmentSize = reader.get<std::uint32_t>();
  superblock.journalPages = reader.get<std::uint32_t>();
  return superblock;
}

void encode(const JournalRecord& record, std::vector<std::byte>& stream) {
  const std::size_t before = stream.size();
  if (const auto* insert = std::get_if<InsertRecord>(&record)) {
    stream.resize(before + kInsertBytes + insert->extents.size() * kExtentBytes);
    Writer writer({stream.data() + before, stream.size() - before});
    writer.put(RecordType::kInsert);
    writer.put(static_cast<std::uint8_t>(insert->extents.size()));
    writer.put(std::uint16_t{0});
    writer.put(insert->key.segment);
    writer.put(insert->key.block.high);
    writer.put(insert->key.block.low);
    writer.put(insert->size);
    writer.put(insert->checksum);
    writer.put(insert->score);
    writer.put(insert->lastUse);
    for (const Extent& extent : insert->extents) {
      writer.put(extent.first);
      writer.put(static_cast<std::uint16_t>(extent.count));
    }
    return;
  }
  const SegmentKey& key = std::get<RemoveRecord>(record).key;
  stream.resize(before + kRemoveBytes);
  Writer writer({stream.data() + before, stream.size() - before});
  writer.put(std::uint32_t{static_cast<std::uint8_t>(RecordType::kRemove)});
  writer.put(key.segment);
  writer.put(key.block.high);
  writer.put(key.block.low);
}

std::size_t recordLength(std::span<const std::byte> stream) {
  if (static_cast<RecordType>(stream[0]) == RecordType::kRemove) {
    return kRemoveBytes;
  }
  return kInsertBytes + static_cast<std::size_t>(stream[1]) * kExtentBytes;
}

void encode(const JournalPage& page, std::uint64_t formatId, std::span<std::byte> into) {
  std::fill(into.begin(), into.end(), std::byte{0});
  Writer writer(into);
  writer.put(kPageMagic);
  writer.put(static_cast<std::uint32_t>(page.records.size()));
  writer.put(formatId);
  writer.put(page.sequence);
  writer.put(page.tail);
  writer.put(page.unsyncedFrom);
  std::copy(page.records.begin(), page.records.end(), into.begin() + kPageHeaderBytes);
  seal(into, formatId, page.sequence);
}

std::optional<JournalPage> decodeJournalPage(std::span<const std::byte> from, std::uint64_t formatId) {
  Reader reader(from);
  const auto magic = reader.get<std::uint32_t>();
  const auto used = reader.get<std::uint32_t>();
  const auto ofFormat = reader.get<std::uint64_t>();
  JournalPage page;
  page.sequence = reader.get<std::uint64_t>();
  page.tail = reader.get<std::uint64_t>();
  page.unsyncedFrom = reader.get<std::uint64_t>();
  if (magic != kPageMagic || ofFormat != formatId || used > kPageRecordBytes ||
      !isSealed(from, formatId, page.sequence)) {
    return std::nullopt;
  }
  page.records = from.subspan(kPageHeaderBytes, used);
  return page;
}

void forEachRecord(const JournalPage& page, const std::function<void(const JournalRecord&)>& visit) {
  std::span<const std::byte> rest = page.records;
  while (rest.size() >= kRemoveBytes) {
    const std::size_t length = recordLength(rest);
    const auto type = static_cast<RecordType>(rest[0]);
    if (length > rest.size() || (type != RecordType::kInsert && type != RecordType::kRemove)) {
      return;
    }
    if (type == RecordType::kInsert) {
      visit(decodeInsert(rest));
    } else {
      visit(decodeRemove(rest));
    }
    rest = rest.subspan(length);
  }
}

}  // namespace shift::node
