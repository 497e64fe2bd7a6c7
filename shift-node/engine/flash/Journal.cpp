#include "shift-node/engine/flash/Journal.h"

#include <algorithm>

#include "common/Log.h"

namespace shift::node {
namespace {

/** How many pages recovery reads at a time. */
constexpr std::uint32_t kReadPages = 1024;

}  // namespace

Journal::Journal(Device& device, JournalGeometry geometry)
    : device_(device), geometry_(geometry), batchMemory_(kBatchPages * kUnitBytes) {}

Status Journal::recover(const std::function<void(const JournalRecord&)>& visit) {
  std::lock_guard drain(drainMutex_);
  std::vector<Seen> pages(geometry_.pages);
  if (Status status = survey(pages); !status) {
    return status;
  }
  const Range run = newestRun(pages);
  tail_ = run.first;
  head_ = run.end;
  unsyncedFrom_ = run.end;
  if (Status status = replay(visit); !status) {
    return status;
  }
  return eraseFrom(pages, head_);
}

void Journal::append(const JournalRecord& record) {
  std::lock_guard lock(pendingMutex_);
  encode(record, pending_);
  pendingBytes_.store(pending_.size(), std::memory_order_relaxed);
}

Status Journal::drain(const Keep& keep) {
  std::lock_guard drain(drainMutex_);
  if (!unwritten_.empty()) {
    if (Status status = writePages(); !status) {
      return status;
    }
  }
  std::vector<std::byte> taken;
  {
    std::lock_guard lock(pendingMutex_);
    taken.swap(pending_);
    pendingBytes_.store(0, std::memory_order_relaxed);
  }
  std::span<const std::byte> stream(taken);
  Status status;
  while (!stream.empty() && status) {
    status = makeRoom(keep);
    if (status) {
      status = writeBatch(stream);
    }
  }
  if (!status) {
    std::lock_guard lock(pendingMutex_);
    pending_.insert(pending_.begin(), stream.begin(), stream.end());
    pendingBytes_.store(pending_.size(), std::memory_order_relaxed);
    return status;
  }
  return syncPages();
}

std::uint64_t Journal::offsetOf(std::uint64_t sequence) const {
  return geometry_.firstByte + sequence % geometry_.pages * kUnitBytes;
}

std::uint32_t Journal::pagesToEnd(std::uint64_t sequence) const {
  return geometry_.pages - static_cast<std::uint32_t>(sequence % geometry_.pages);
}

std::uint32_t Journal::freePages() const {
  return geometry_.pages - static_cast<std::uint32_t>(head_ - tail_);
}

/** Notes which pages of the ring are whole and in their place. */
Status Journal::survey(std::vector<Seen>& pages) {
  AlignedBuffer buffer(std::size_t{std::min(kReadPages, geometry_.pages)} * kUnitBytes);
  for (std::uint32_t first = 0; first < geometry_.pages; first += kReadPages) {
    const std::uint32_t count = std::min(kReadPages, geometry_.pages - first);
    const auto bytes = buffer.bytes().first(std::size_t{count} * kUnitBytes);
    if (Status status = device_.read(offsetOf(first), bytes); !status) {
      return status;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto page =
          decodeJournalPage(bytes.subspan(std::size_t{i} * kUnitBytes, kUnitBytes), geometry_.formatId);
      if (page && page->sequence % geometry_.pages == first + i && page->unsyncedFrom <= page->sequence &&
          page->tail <= page->sequence) {
        pages[first + i] = {page->sequence, page->tail, page->unsyncedFrom};
      }
    }
  }
  return {};
}

/**
 * The pages to believe: the unbroken run that ends with the newest page, if it reaches back to what was
 * durable when that page was written. If it does not, a crash has torn or reordered the pages written since
 * then, and none of them count. What lies before any other gap is left out, since the gap may have revoked
 * it: better to forget than to be stale.
 */
Journal::Range Journal::newestRun(const std::vector<Seen>& pages) const {
  std::uint64_t below = ~std::uint64_t{0};
  while (true) {
    const Seen* newest = nullptr;
    for (const Seen& page : pages) {
      if (page.sequence != 0 && page.sequence < below &&
          (newest == nullptr || page.sequence > newest->sequence)) {
        newest = &page;
      }
    }
    if (newest == nullptr) {
      return {1, 1};
    }
    std::uint64_t first = newest->sequence;
    while (first > newest->tail && pages[(first - 1) % geometry_.pages].sequence == first - 1) {
      --first;
    }
    if (first <= newest->unsyncedFrom) {
      if (first > newest->tail) {
        logWarning(device_.name() + ": journal pages " + std::to_string(newest->tail) + " to " +
                   std::to_string(first - 1) + " are damaged; what they indexed is forgotten");
      }
      return {first, newest->sequence + 1};
    }
    below = newest->unsyncedFrom;
  }
}

/** What was left out must never come back to life beside pages that are yet to be written. */
Status Journal::eraseFrom(const std::vector<Seen>& pages, std::uint64_t sequence) {
  const AlignedBuffer zeros(kUnitBytes);
  bool erased = false;
  for (const Seen& page : pages) {
    if (page.sequence >= sequence) {
      if (Status status = device_.write(offsetOf(page.sequence), zeros.bytes()); !status) {
        return status;
      }
      erased = true;
    }
  }
  return erased ? device_.sync() : Status();
}

Status Journal::replay(const std::function<void(const JournalRecord&)>& visit) {
  AlignedBuffer buffer(std::size_t{std::min(kReadPages, geometry_.pages)} * kUnitBytes);
  for (std::uint64_t first = tail_; first < head_;) {
    const auto count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>({kReadPages, head_ - first, pagesToEnd(first)}));
    const auto bytes = buffer.bytes().first(std::size_t{count} * kUnitBytes);
    if (Status status = device_.read(offsetOf(first), bytes); !status) {
      return status;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto page =
          decodeJournalPage(bytes.subspan(std::size_t{i} * kUnitBytes, kUnitBytes), geometry_.formatId);
      if (page) {
        forEachRecord(*page, visit);
      }
    }
    first += count;
  }
  return {};
}

Status Journal::makeRoom(const Keep& keep) {
  std::uint32_t cleaned = 0;
  while (freePages() < kReservePages) {
    // After a whole round without gain everything in the ring is true: segments have to go.
    if (Status status = clean(keep, cleaned >= geometry_.pages); !status) {
      return status;
    }
    cleaned += kBatchPages;
  }
  return {};
}

Status Journal::clean(const Keep& keep, bool mustForget) {
  const auto count =
      static_cast<std::uint32_t>(std::min<std::uint64_t>({kBatchPages, head_ - tail_, pagesToEnd(tail_)}));
  AlignedBuffer buffer(std::size_t{count} * kUnitBytes);
  if (Status status = device_.read(offsetOf(tail_), buffer.bytes()); !status) {
    return status;
  }
  std::vector<std::byte> kept;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto page = decodeJournalPage(buffer.bytes().subspan(std::size_t{i} * kUnitBytes, kUnitBytes),
                                        geometry_.formatId);
    // A page can be of another sequence if this place was skipped: then it is nothing to us.
    if (page && page->sequence == tail_ + i) {
      forEachRecord(*page, [&](const JournalRecord& record) {
        const auto* insert = std::get_if<InsertRecord>(&record);
        if (insert == nullptr) {
          return;
        }
        const std::optional<InsertRecord> current = keep(*insert, mustForget);
        if (current && !mustForget) {
          encode(*current, kept);
        }
      });
    }
  }
  std::span<const std::byte> stream(kept);
  while (!stream.empty()) {
    if (Status status = writeBatch(stream); !status) {
      return status;
    }
  }
  if (!kept.empty()) {
    if (Status status = syncPages(); !status) {
      return status;
    }
  }
  tail_ += count;
  return {};
}

Status Journal::writeBatch(std::span<const std::byte>& stream) {
  const std::uint32_t most = std::min(kBatchPages, pagesToEnd(head_));
  const std::span<std::byte> memory = batchMemory_.bytes();
  std::uint32_t pages = 0;
  while (pages < most && !stream.empty()) {
    std::size_t used = 0;
    while (used < stream.size() && used + recordLength(stream.subspan(used)) <= kPageRecordBytes) {
      used += recordLength(stream.subspan(used));
    }
    encode(JournalPage{head_ + pages, tail_, unsyncedFrom_, stream.first(used)}, geometry_.formatId,
           memory.subspan(std::size_t{pages} * kUnitBytes, kUnitBytes));
    stream = stream.subspan(used);
    ++pages;
  }
  unwritten_ = memory.first(std::size_t{pages} * kUnitBytes);
  return writePages();
}

Status Journal::writePages() {
  if (Status status = device_.write(offsetOf(head_), unwritten_); !status) {
    return status;
  }
  writtenBytes_.fetch_add(unwritten_.size(), std::memory_order_relaxed);
  head_ += unwritten_.size() / kUnitBytes;
  unwritten_ = {};
  return {};
}

Status Journal::syncPages() {
  if (Status status = device_.sync(); !status) {
    return status;
  }
  unsyncedFrom_ = head_;
  return {};
}

}  // namespace shift::node
