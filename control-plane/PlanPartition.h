#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "blocks/BlockId.h"
#include "control-plane/JobSpec.h"
#include "control-plane/ReadForecast.h"
#include "control-plane/ReadProgress.h"

namespace shift::control {

/** One job's reading of one partition. Guarded by the partition's mutex. */
struct PlanReader {
  bool bySpec = false;  // the job announced it; else it was seen reading here
  ReadOrder order = ReadOrder::kListed;
  std::uint64_t seed = 0;
  std::uint32_t passes = 1;  // how often it reads all of it
  std::uint32_t pass = 0;    // which of these it is in
  bool finished = false;     // with this pass
  ReadProgress progress;
  ReadForecast forecast;  // of what is left of this pass
  ReadForecast again;     // of the next pass
  /** For shuffled reading: a block's rank and offset, by its position. Empty: as listed. */
  std::vector<std::uint32_t> ranks;
  std::vector<double> offsets;

  std::uint32_t rankOf(std::uint32_t position) const { return ranks.empty() ? position : ranks[position]; }
  bool has(std::uint32_t position) const { return progress.contains(rankOf(position)); }
  bool isLastPass() const { return pass + 1 >= passes; }
};

/**
 * The blocks of one directory that this node owns, in listed order, and who reads them. Part of ReadPlan,
 * which says which thread may do what; everything here is done with `mutex` held.
 */
class PlanPartition {
 public:
  struct Block {
    BlockId id;
    double offset = 0;   // in the listing, counting other nodes' blocks
    double nextUse = 0;  // absolute seconds
    double scored = 0;   // the next use that the engine was last told
    std::uint16_t uses = 0;
    bool known = false;  // a reader or past arrivals speak for it
  };

  PlanPartition(std::string directory, double windowSeconds, double now);

  std::mutex& mutex() const { return mutex_; }
  /** `store:dir`. */
  const std::string& directory() const { return directory_; }
  bool isListed() const { return listed_; }
  double totalBytes() const { return totalBytes_; }
  /** Mean bytes of the listing between two owned blocks. */
  double spacing() const;
  double lastUse() const { return lastUse_; }

  /** Takes the files' blocks, in this order, keeping the owned ones and what readers have read of them. */
  void setListing(std::span<const ListedFile> files, std::uint64_t blockSize,
                  const std::function<bool(const BlockId&)>& owns, double now);
  /** Adds a block that was read and that no listing names; returns its position. */
  std::uint32_t append(const BlockId& id, double bytes, double now);

  /** For a job that announced it; `spec` is nullptr if nobody did. */
  PlanReader& addReader(bool bySpec, const JobSpec* spec, double now);
  void removeReader(const PlanReader& reader);
  bool hasReaders() const { return !readers_.empty(); }

  /** A reader asks for the block. Returns whether the block's next use has changed by that. */
  bool read(PlanReader& reader, std::uint32_t position, double now);

  const Block& block(std::uint32_t position) const { return blocks_[position]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(blocks_.size()); }

  /** Whether the next uses have to be reckoned anew. */
  bool isStale(double now) const;
  void setStale() { stale_ = true; }
  void beginScoring(double now);
  /** Reckons blocks [from, from + count); calls `changed` for those that are worth telling the engine. */
  void score(std::uint32_t from, std::uint32_t count, double now,
             const std::function<void(const Block&)>& changed);

 private:
  /** When this reader is expected at the block, and whether that is the middle of a range. */
  std::pair<double, bool> nextUseBy(const PlanReader& reader, std::uint32_t position) const;
  double offsetFor(const PlanReader& reader, std::uint32_t position) const;
  void arrange(PlanReader& reader) const;
  void plan(std::uint32_t position, double now);
  double arrivalRate(double now) const;

  struct File {
    double start = 0;
    double size = 0;
  };

  const std::string directory_;
  const double windowSeconds_;
  mutable std::mutex mutex_;
  bool listed_ = false;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> fileOfBlock_;  // index into files_
  std::vector<File> files_;
  double totalBytes_ = 0;
  std::vector<std::unique_ptr<PlanReader>> readers_;
  std::uint32_t arrivals_ = 0;               // jobs that began to read here, announced or not
  std::vector<double> unannouncedArrivals_;  // when, for those that nobody had announced
  double lastUse_ = 0;
  double scoredAt_ = 0;
  bool stale_ = true;
};

}  // namespace shift::control
