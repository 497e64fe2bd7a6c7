#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "gms/GmsClient.h"
#include "tools/demo/Workload.h"

namespace shift::demo {

/** Tells the GMS when the readers of a job have read the last file of a partition. Thread-safe. */
class PartitionReports {
 public:
  /** `id`: the name under which the job is announced. All that is given outlives this. */
  PartitionReports(gms::GmsClient& gms, std::string id, const TourJob& job, const Dataset& dataset);

  /** One was read to its end: the file at this place of filesInOrder(). */
  Status fileRead(std::size_t place);

 private:
  struct Part {
    const Partition* partition = nullptr;
    std::size_t end = 0;  // the place after its last file
    std::atomic<std::size_t> left{0};
  };

  gms::GmsClient& gms_;
  const std::string id_;
  std::vector<Part> parts_;  // in the order of reading
  std::atomic<std::int64_t> reports_{0};
};

}  // namespace shift::demo
