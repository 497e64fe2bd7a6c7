#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "client-lib/Client.h"
#include "tools/demo/Dataset.h"

namespace shift::demo {

/** A training job of the demo: which partitions it reads, in order. */
struct DemoJob {
  std::string id;
  std::vector<std::size_t> partitions;  // indexes into the dataset

  std::uint64_t bytes(const Dataset& dataset) const;
};

/** What a reader has done so far; read by the progress line while it runs. */
struct ReaderProgress {
  std::atomic<std::uint64_t> bytes{0};
};

/**
 * Reads a job's partitions file after file with 1 MiB preads, as a training loader would, and compares every
 * byte with the file itself. Returns at the end, at the first error, or soon after `stop` is set.
 */
Status readAll(const DemoJob& job, const Dataset& dataset, const std::string& storeRoot,
               client::Client& client, const std::atomic<bool>& stop, ReaderProgress& progress);

}  // namespace shift::demo
