#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/Result.h"
#include "dashboard/NodeVoice.h"
#include "ring/Ring.h"
#include "thrift/admin_types.h"

namespace shift::dashboard {

/** A node of the tier, before it is asked anything. */
struct TierNode {
  std::string id;
  std::string adminAddress;  // where it is asked
  std::string state;         // of a ring's member; empty: nobody says
  double weight = 1;
  double share = 1;                  // of all blocks
  std::shared_ptr<NodeVoice> voice;  // none: nobody said where its admin service is
};

/** A job that announced what it will read. */
struct TierJob {
  std::string id;
  std::string owner;
  std::string state;  // "running"
  std::string table;
  std::int32_t epochs = 1;
  std::size_t partitions = 0;
  std::size_t finishedPartitions = 0;
  std::int64_t readBytes = 0;
  /** Along its partitions, in the order of reading: how much of each stretch is finished, from 0 to 1. */
  std::vector<double> stretches;
};

struct TierView {
  std::vector<TierNode> nodes;
  std::vector<TierJob> jobs;
  std::shared_ptr<const ring::Ring> ring;  // none: a node that is alone
};

/** Where the dashboard learns which nodes and jobs there are. Thread-safe. */
class Tier {
 public:
  virtual ~Tier() = default;
  /** `withJobs`: somebody wants to see them; without, they may be left out. */
  virtual Result<TierView> look(bool withJobs) = 0;
};

}  // namespace shift::dashboard
