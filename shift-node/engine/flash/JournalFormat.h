#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "blocks/BlockId.h"
#include "shift-node/engine/ExtentAllocator.h"
#include "shift-node/engine/flash/Device.h"

namespace shift::node {

// The bytes of a cache file outside its data. Every page is one unit, carries a checksum over itself seeded
// with where it belongs, and is therefore whole, in its place and of this cache, or not a page at all.
// Little-endian. Described in shift-node/engine/README.md.

/** More runs than this no segment is cut into, so that its record fits a page with room to spare. */
inline constexpr std::uint32_t kMaxExtents = 64;

/** Says what the file is. In units 0 and 1, twice the same; written only when a cache is made. */
struct Superblock {
  std::uint64_t formatId = 0;  // drawn anew each time a cache is made: pages of an earlier one do not count
  std::uint64_t deviceBytes = 0;
  std::uint32_t segmentSize = 0;
  std::uint32_t journalPages = 0;  // from unit 2 on; the data follows

  bool operator==(const Superblock&) const = default;
};

void encode(const Superblock& superblock, std::span<std::byte> page);
std::optional<Superblock> decodeSuperblock(std::span<const std::byte> page);

/** A segment is on the device, there, with that checksum. */
struct InsertRecord {
  SegmentKey key;
  std::uint32_t size = 0;
  std::uint64_t checksum = 0;
  double score = 0;
  std::uint64_t lastUse = 0;
  std::vector<Extent> extents;

  bool operator==(const InsertRecord&) const = default;
};

/** What earlier records say of this segment is over. */
struct RemoveRecord {
  SegmentKey key;

  bool operator==(const RemoveRecord&) const = default;
};

using JournalRecord = std::variant<InsertRecord, RemoveRecord>;

/** Appends the record to a stream of records. */
void encode(const JournalRecord& record, std::vector<std::byte>& stream);

/** How long the record at the beginning of the stream is. */
std::size_t recordLength(std::span<const std::byte> stream);

struct JournalPage {
  std::uint64_t sequence = 0;      // counts the pages ever written; the page lies at sequence % pages
  std::uint64_t tail = 0;          // pages before this one were needed no more when this one was written
  std::uint64_t unsyncedFrom = 0;  // pages before this one were durable when this one was written
  std::span<const std::byte> records;
};

/** The bytes of records that fit one page. */
inline constexpr std::size_t kPageRecordBytes = kUnitBytes - 48;

void encode(const JournalPage& page, std::uint64_t formatId, std::span<std::byte> into);

/** Nothing unless it is a whole page of this cache with a sequence number of its own. The result points into
 * `from`. */
std::optional<JournalPage> decodeJournalPage(std::span<const std::byte> from, std::uint64_t formatId);

/** Calls for each record, in order. Stops at the first that makes no sense. */
void forEachRecord(const JournalPage& page, const std::function<void(const JournalRecord&)>& visit);

}  // namespace shift::node
