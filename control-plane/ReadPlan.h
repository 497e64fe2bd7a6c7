#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "blocks/BlockId.h"
#include "control-plane/JobSpec.h"
#include "control-plane/PlanJob.h"
#include "control-plane/PlanPartition.h"
#include "control-plane/ReadRequest.h"

namespace shift::control {

/** A block's new score for the engine; higher stays. */
struct ScoreChange {
  BlockId group;
  double score = 0;
};

/** What of the plan follows from the parameters. */
struct PlanOptions {
  double windowSeconds = 6 * 3600;  // for how long jobs and arrivals are remembered
  double refreshSeconds = 10;       // how often refresh() is called
  bool countAnnounced = true;
  bool scoring = true;  // false: progress is kept, but no scores are made
};

/** When a block is expected to be read next. */
struct NextUse {
  double time = 0;         // absolute, seconds
  std::uint32_t uses = 0;  // known readers to come, at most 65535
  bool known = false;      // false: neither a reader nor past arrivals speak for it, `time` is a guess
};

/**
 * Who will read which block when. Knows the partitions that live jobs name (their listings, in order) and,
 * for each job and partition, what was read and how fast; from that it forecasts each block's next use. A job
 * without a spec is taken to read on to the end of the partition it is in. Where nobody is known to come,
 * past arrivals of unannounced jobs are taken to go on.
 *
 * A partition is one directory that holds files. A listing of a directory with directories below it makes
 * one partition of each.
 *
 * Threads: record() and nextUse() may be called by many at once: they share the structure's lock and hold
 * one partition's mutex for well under a microsecond. The rest takes turns: applySpecs() and setListing()
 * hold the structure's lock alone for as long as they build; refresh() shares it, and holds a partition's
 * mutex for a few hundred blocks at a time. Reads of blocks or by jobs that are not known yet are noted down
 * and taken in by the next refresh().
 */
class ReadPlan {
 public:
  /** `owns`: whether this node would be asked for a block; pure. */
  ReadPlan(std::uint64_t blockSize, std::function<bool(const BlockId&)> owns);

  void setOptions(const PlanOptions& options);

  void record(const ReadRequest& request, double now);
  NextUse nextUse(const BlockId& block, double now) const;

  void applySpecs(std::span<const JobSpec> specs, double now);
  void setListing(const std::string& directory, std::span<const ListedFile> files, double now);
  /** Other blocks are this node's from now on. What was listed has to be listed again. */
  void setOwnership(std::function<bool(const BlockId&)> owns);
  /** Directories that live jobs name and that have to be listed. */
  std::vector<std::string> wantedListings() const;
  /** A reader says that the job needs no more of this directory. */
  void finishedReading(const std::string& job, const std::string& directory);

  /** Blocks whose next use changed because somebody just read them. Cheap; cost grows with what was read. */
  std::vector<ScoreChange> takeTouched();
  /** Forecasts anew, and returns the scores that changed. */
  std::vector<ScoreChange> refresh(double now);

  /** A job that has announced a directory and has not finished it. */
  struct PendingRead {
    std::string_view job;        // valid until the next change of jobs
    std::string_view directory;  // `store:dir`
  };
  void forEachPending(const std::function<void(const PendingRead&)>& visit) const;

 private:
  struct Place {
    PlanPartition* partition = nullptr;
    std::uint32_t position = 0;
  };
  struct Observation {
    std::string job;
    std::string directory;
    BlockId block;
    double bytes = 0;
    double time = 0;
  };

  void observe(const ReadRequest& request, double now);

  // With the structure's lock held alone.
  PlanPartition& partitionOf(const std::string& directory, double now);
  void indexBlocks(PlanPartition& partition);
  void arrangeJob(PlanJob& job, double now);
  void removeJob(const std::string& name);
  void takeInObservations(double now);
  void dropUnused(double now, std::vector<ScoreChange>& changes);

  /** With the structure's lock shared. */
  void scoreStale(double now, std::vector<ScoreChange>& changes);

  const std::uint64_t blockSize_;
  std::function<bool(const BlockId&)> owns_;
  mutable std::shared_mutex structure_;
  PlanOptions options_;
  std::unordered_map<std::string, std::unique_ptr<PlanJob>> jobs_;
  std::unordered_map<std::string, std::unique_ptr<PlanPartition>> partitions_;  // by directory
  std::unordered_map<std::string, std::vector<PlanPartition*>> listed_;         // by listed directory
  std::unordered_set<std::string> outdated_;  // listed when this node owned other blocks
  std::unordered_map<BlockId, Place> blocks_;
  double typicalJobRate_ = 0;  // bytes per second over a listing; refresh() only

  std::mutex touchedMutex_;
  std::vector<ScoreChange> touched_;

  std::mutex observedMutex_;
  std::vector<Observation> observed_;
  std::unordered_set<std::uint64_t> observedKeys_;  // (block, job) that are noted down already
};

}  // namespace shift::control
