#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/ByteSize.h"
#include "common/Clock.h"

namespace shift::control {

/** How segments are grouped into buckets (the paper's MapSegment). */
enum class Mapping {
  kDirectory,  // the file's directory: a table's partition
  kFile,
  kTable,  // the first group of `tablePattern`, matched against store:path
  kRange,  // ranges of `rangeBytes` of a file: features, in files laid out by column
};

/**
 * Everything that can be turned while a node runs, per node: the paper's Table 2 and what its text adds.
 * Plain values; nothing takes effect before ControlPlane::setParameters() has accepted them.
 */
struct Parameters {
  // BucketPriority(b): "historic", "future", "hybrid" or "planned".
  std::string policy = "planned";

  // MapSegment(s).
  Mapping mapping = Mapping::kDirectory;
  std::string tablePattern = "^([^/]+)/";
  std::uint64_t rangeBytes = 64 * kMiB;

  // AdmitThreshold: never below this; 0 = no minimum. Applies to the policies that count expected reads.
  double minAdmitThreshold = 1.1;
  // AdmitThreshold: the tuner never raises it above this.
  double maxAdmitThreshold = 64;
  // ReinsertThreshold = AdmitThreshold + this.
  double reinsertOffset = 1.0;
  bool reinsertion = false;

  Duration bucketRefreshTime = std::chrono::seconds(10);

  // RHWSize, and in how many steps the window moves on.
  Duration historyWindow = std::chrono::hours(6);
  std::uint32_t historySteps = 6;
  // Buckets remembered; beyond it the least used are forgotten first.
  std::uint32_t maxBuckets = 1 << 16;

  // What flash may be written with, admitted and reinserted bytes together, per second; 0 = no limit.
  std::uint64_t writeLimit = 0;
  // The tuner's gains, on the error as a share of the limit, in units of threshold.
  double proportionalGain = 0.0;
  double integralGain = 0.01;
  double derivativeGain = 0.0;

  // `planned` only: whether announced jobs that have not read anything yet count as readers.
  bool countAnnounced = true;
};

std::string_view toString(Mapping mapping);
/** The mapping of this name; none if there is no such. */
std::optional<Mapping> mappingNamed(std::string_view name);

/** Everything that is wrong with the values, one sentence each; empty = they can be used. */
std::vector<std::string> faultsOf(const Parameters& parameters);

}  // namespace shift::control
