#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "backing-store/BackingStore.h"
#include "client-lib/ClientConfig.h"
#include "common/Clock.h"
#include "common/Result.h"
#include "common/Waiter.h"
#include "gms/GmsClient.h"
#include "tools/demo/Dataset.h"
#include "tools/demo/Workload.h"

namespace shift::demo {

/** What a job needs of its surroundings. All of it outlives the run. */
struct JobSurroundings {
  const Dataset& dataset;
  const Shape& shape;
  const client::ClientConfig& client;
  const store::BackingStore& disks;      // what clients read that no node gives them
  const store::BackingStore& reference;  // the same bytes, not slowed down: what is compared with
  gms::GmsClient& gms;
  const Clock& clock;
  const Waiter& waiter;
  const std::atomic<bool>& stop;
};

struct JobOutcome {
  Duration took{0};
  std::uint64_t bytesFromDisks = 0;  // read by the job itself, as no node gave them
};

/** The name under which a job of an act is known to the tier. */
std::string jobId(const std::string& act, const TourJob& job);

/** Announces a job to the GMS: what it will read and in which order. */
Status announce(gms::GmsClient& gms, const std::string& id, const TourJob& job, const Dataset& dataset,
                const std::string& store);

/**
 * One job's life: waits for its start, is said to run, reads all its files by its readers, who take them from
 * one queue, compare every byte and tell of each partition that they have finished, and is said to be over.
 * Returns at the end, at the first error, or soon after `stop` is set. Adds to `bytesDone` as it goes.
 */
Result<JobOutcome> runJob(const std::string& id, const TourJob& job, TimePoint actBegins,
                          const JobSurroundings& around, std::atomic<std::uint64_t>& bytesDone);

}  // namespace shift::demo
