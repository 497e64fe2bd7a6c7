#include "shift-node/engine/flash/Volume.h"

#include <algorithm>
#include <optional>
#include <random>

#include "common/ByteSize.h"
#include "common/Log.h"
#include "shift-node/engine/flash/AlignedBuffer.h"

namespace shift::node {
namespace {

constexpr std::uint32_t kSuperblocks = 2;
/** A record with one extent, rounded up. */
constexpr std::uint64_t kRecordBytes = 60;

/** Twice the room that the records of a full cache need, so that cleaning finds something to give up. */
std::uint32_t journalPagesFor(std::uint64_t deviceBytes, const FlashEngineConfig& config) {
  const std::uint64_t mean = config.meanSegmentBytes > 0 ? config.meanSegmentBytes : config.segmentSize / 2;
  const std::uint64_t records = deviceBytes / mean;
  const std::uint64_t pages = 2 * records * kRecordBytes / kPageRecordBytes + 1;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(pages, Journal::kMinPages));
}

/** Three quarters of what the ring can hold. */
std::int64_t maxSegmentsFor(std::uint32_t journalPages) {
  const std::uint64_t usable = journalPages - Journal::kReservePages;
  return static_cast<std::int64_t>(usable * kPageRecordBytes / kRecordBytes * 3 / 4);
}

struct FoundOnDevice {
  std::optional<Superblock> superblock;
  bool isBlank = false;  // never used: nothing to warn of
};

Result<FoundOnDevice> readSuperblock(Device& device) {
  AlignedBuffer pages(kSuperblocks * kUnitBytes);
  if (const Status status = device.read(0, pages.bytes()); !status) {
    return status.error();
  }
  FoundOnDevice found;
  for (std::uint32_t i = 0; i < kSuperblocks && !found.superblock; ++i) {
    found.superblock = decodeSuperblock(pages.bytes().subspan(i * kUnitBytes, kUnitBytes));
  }
  found.isBlank = std::all_of(pages.bytes().begin(), pages.bytes().end(),
                              [](std::byte byte) { return byte == std::byte{0}; });
  return found;
}

Status writeSuperblock(Device& device, const Superblock& superblock) {
  AlignedBuffer pages(kSuperblocks * kUnitBytes);
  for (std::uint32_t i = 0; i < kSuperblocks; ++i) {
    encode(superblock, pages.bytes().subspan(i * kUnitBytes, kUnitBytes));
  }
  if (Status status = device.write(0, pages.bytes()); !status) {
    return status;
  }
  return device.sync();
}

}  // namespace

Result<std::unique_ptr<Volume>> Volume::open(std::unique_ptr<Device> device, std::uint32_t number,
                                             const FlashEngineConfig& config) {
  Superblock wanted;
  wanted.deviceBytes = device->size();
  wanted.segmentSize = config.segmentSize;
  wanted.journalPages = journalPagesFor(device->size(), config);
  const std::uint64_t metadata = (std::uint64_t{kSuperblocks} + wanted.journalPages) * kUnitBytes;
  if (device->size() < metadata + config.segmentSize) {
    return Error{ErrorCode::kInvalidArgument,
                 "flash file " + device->name() + ": " + formatExactByteSize(device->size()) +
                     " is too small; the index alone takes " + formatExactByteSize(metadata)};
  }
  const Result<FoundOnDevice> found = readSuperblock(*device);
  if (!found) {
    return found.error();
  }
  const std::optional<Superblock>& existing = found->superblock;
  wanted.formatId = existing ? existing->formatId : 0;
  if (!existing || *existing != wanted) {
    if (!found->isBlank) {
      logWarning(device->name() + ": holds " +
                 (existing ? "a cache of another geometry" : "no cache of this version") +
                 "; starting empty");
    }
    std::random_device random;
    wanted.formatId = (std::uint64_t{random()} << 32) | random();
    if (const Status status = writeSuperblock(*device, wanted); !status) {
      return status.error();
    }
  }
  return std::unique_ptr<Volume>(new Volume(std::move(device), number, wanted, config));
}

Volume::Volume(std::unique_ptr<Device> device, std::uint32_t number, const Superblock& superblock,
               const FlashEngineConfig& config)
    : number_(number),
      device_(std::move(device)),
      dataStart_((std::uint64_t{kSuperblocks} + superblock.journalPages) * kUnitBytes),
      dataUnits_(static_cast<std::uint32_t>((device_->size() - dataStart_) / kUnitBytes)),
      spareUnits_(static_cast<std::uint32_t>(config.spareShare * dataUnits_)),
      maxSegments_(maxSegmentsFor(superblock.journalPages)),
      errorsUntilOut_(config.errorsUntilOut),
      units_(dataUnits_),
      journal_(std::make_unique<Journal>(
          *device_,
          JournalGeometry{kSuperblocks * kUnitBytes, superblock.journalPages, superblock.formatId})) {}

bool Volume::hasRoom(std::uint32_t units) const {
  return roomUnits() >= units;
}

std::uint32_t Volume::roomUnits() const {
  const std::uint32_t free = units_.freeUnits();
  const bool indexIsFull = segments_.load(std::memory_order_relaxed) >= maxSegments_;
  return indexIsFull || free < spareUnits_ ? 0 : free - spareUnits_;
}

bool Volume::noteError() {
  return errorsInARow_.fetch_add(1) + 1 >= errorsUntilOut_ && inUse_.exchange(false);
}

std::uint64_t Volume::watch(TimePoint started, std::function<void()> expire) {
  std::lock_guard lock(watchMutex_);
  watched_.emplace_hint(watched_.end(), nextWatch_, Watched{started, std::move(expire)});
  return nextWatch_++;
}

void Volume::unwatch(std::uint64_t watched) {
  std::lock_guard lock(watchMutex_);
  watched_.erase(watched);
}

std::size_t Volume::expireBefore(TimePoint limit) {
  std::vector<Watched> overdue;
  {
    std::lock_guard lock(watchMutex_);
    while (!watched_.empty() && watched_.begin()->second.started < limit) {
      overdue.push_back(std::move(watched_.begin()->second));
      watched_.erase(watched_.begin());
    }
  }
  for (const Watched& watched : overdue) {
    watched.expire();
  }
  return overdue.size();
}

}  // namespace shift::node
