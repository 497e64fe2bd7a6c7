#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/Result.h"

namespace shift::node {

/** What a node remembers from one start to the next, beside its cache. */
struct NodeState {
  std::map<std::string, std::string> parameters;  // as they were set while it ran
  std::uint64_t flashWrittenBytes = 0;            // in the life of its flash

  bool operator==(const NodeState&) const = default;
};

/** An empty state if there is no such file; an error if there is one that makes no sense. */
Result<NodeState> loadState(const std::string& path);

/** Replaces the file as a whole. */
Status saveState(const std::string& path, const NodeState& state);

}  // namespace shift::node
