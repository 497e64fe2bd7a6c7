#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "client-lib/ClientConfig.h"
#include "client-lib/ClientStats.h"
#include "client-lib/ClusterWatcher.h"
#include "client-lib/Exchange.h"
#include "client-lib/OpenFile.h"
#include "client-lib/RangeBytes.h"
#include "common/Result.h"
#include "read-protocol/Frame.h"

namespace shift::client {

/** One range of one file to read, and what came of it. */
struct ReadItem {
  const OpenFile* file = nullptr;
  std::span<std::byte> into;
  std::uint64_t offset = 0;

  std::size_t done = 0;        // bytes that are in `into`, from its beginning on
  std::optional<Error> error;  // the backing store's, if nothing could be read
};

/**
 * A client's side of a read. read() is the read path, top to bottom, in Reader.cpp: filter, plan, ask the
 * nodes, read from the backing store what they did not give. Thread-safe; borrows all its parts.
 */
class Reader {
 public:
  Reader(const ClientConfig& config, const ClusterWatcher& watcher, PastCache& past, Shadow& shadow,
         const Clock& clock);

  /** All items at once: each node is asked for all that it has of them together. */
  void read(std::span<ReadItem> items);

  /** Asks the nodes to bring a range into the cache, if they want it. Does not wait for that to happen. */
  RangeBytes prefetch(const OpenFile& file, std::uint64_t offset, std::uint64_t length);
  /** Asks the nodes what they have of a range. */
  RangeBytes probe(const OpenFile& file, std::uint64_t offset, std::uint64_t length);

  /** Whether reads of the file go through the cache, and why. */
  EligibilityVerdict eligibilityOf(const OpenFile& file) const;

  ClientStats stats() const;

 private:
  struct Tally {
    std::atomic<std::uint64_t> preads{0};
    std::atomic<std::uint64_t> bytesFromNodes{0};
    std::atomic<std::uint64_t> bytesFromBackingStore{0};
    std::atomic<std::uint64_t> bytesPastCache{0};
    std::atomic<std::uint64_t> hit{0};
    std::atomic<std::uint64_t> refused{0};
    std::atomic<std::uint64_t> failed{0};
    std::atomic<std::uint64_t> skipped{0};
    std::atomic<std::uint64_t> hedged{0};
    std::atomic<std::uint64_t> corrupt{0};

    std::atomic<std::uint64_t>& of(GetTask::Outcome outcome);
  };

  /** Where the tasks of an item begin and end. */
  struct Plan {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool isPast = false;
    std::string table;
  };

  RangeBytes askNodesAbout(const OpenFile& file, std::uint64_t offset, std::uint64_t length,
                           protocol::FrameKind kind) const;
  void askNodes(const ClusterView& view, std::span<GetTask> tasks);
  /** Makes tasks pending again whose bytes did not pass; returns how many these are. */
  std::size_t doubtCorrupt(std::span<GetTask> tasks);
  void complete(ReadItem& item, std::span<const GetTask> tasks);
  void readPast(ReadItem& item, const std::string& table);
  bool mayHedge(std::size_t gets);

  const ClientConfig config_;
  const ClusterWatcher& watcher_;
  PastCache& past_;
  Shadow& shadow_;
  const Clock& clock_;
  const ExchangeOptions exchangeOptions_;
  Tally tally_;
  std::mutex hedgeMutex_;
  HedgeBudget hedgeBudget_;
};

}  // namespace shift::client
