#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "common/ByteSize.h"
#include "tools/load/Pieces.h"
#include "tools/load/ReadSizes.h"

namespace shift::load {

enum class PatternKind {
  kSequential,  // every byte, in order
  kColumns,     // in order, but of each row group only the columns that the job selected
  kRandom,      // anywhere, every place alike
  kZipf,        // anywhere, some places much more often than others
};

struct PatternConfig {
  PatternKind kind = PatternKind::kSequential;
  ReadSizes readSizes;
  std::uint64_t seed = 1;
  std::uint64_t passes = 0;  // of a scan over its part of the dataset; 0 = without end
  // Columns: a file is a row of row groups, each with equally wide columns, as columnar formats lay them out.
  std::uint64_t rowGroupBytes = 8 * kMiB;
  std::uint32_t columns = 32;
  double selected = 0.3;  // share of the columns that a job reads; which ones differs from job to job
  double zipfExponent = 0.9;
};

/** Which of all readers one is. */
struct ReaderPlace {
  std::uint32_t job = 0;
  std::uint32_t reader = 0;   // within the job
  std::uint32_t readers = 1;  // of the job
};

/**
 * The reads of one reader, one after the other. They follow from configuration, dataset and place alone. The
 * readers of a job share a scan, each with a contiguous part; random and zipf readers each go their own way,
 * but what is popular is so for all jobs. One thread.
 */
class AccessPattern {
 public:
  virtual ~AccessPattern() = default;
  /** The next read; nothing when the pattern has come to its end, or there is nothing for this reader. */
  virtual std::optional<ReadRange> next() = 0;
};

std::unique_ptr<AccessPattern> makePattern(const PatternConfig& config, const std::vector<DataFile>& files,
                                           const ReaderPlace& place);

}  // namespace shift::load
