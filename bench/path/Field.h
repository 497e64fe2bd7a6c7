#pragma once

#include <memory>
#include <vector>

#include "bench/path/Contestant.h"
#include "bench/path/Dataset.h"
#include "bench/path/Parts.h"
#include "bench/path/ShiftTier.h"

namespace shift::bench {

/** All contestants over one data set, each seen to give every byte of it as it is. */
struct Field {
  Field(const PathOptions& options, const Dataset& dataset);

  std::unique_ptr<ShiftTier> shift;
  std::unique_ptr<ShiftTier> unverified;  // the same with a client that does not check what it receives
  std::unique_ptr<Contestant> bareLoop;
  std::unique_ptr<Contestant> bareLoopOverAll;
  std::vector<std::unique_ptr<Contestant>> peers;

  /** All of them, in that order. */
  std::vector<Contestant*> all() const;
};

/** Throws std::runtime_error if so much came from the backing store that the numbers are not the node's. */
void requireFromNode(const ShiftTier& tier);

}  // namespace shift::bench
