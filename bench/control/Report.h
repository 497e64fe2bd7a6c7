#pragma once

#include <optional>
#include <string>
#include <vector>

namespace shift::bench {

/** One measured number, beside the same number of a peer that was measured in the same run. */
struct Row {
  std::string name;
  double value = 0;
  std::string unit;
  std::string against;
  double peerValue = 0;
  /** Holds if value / peerValue is at most this; none: for information. */
  std::optional<double> goal;
};

/** A table for people, or with `json` one object per line. Returns whether all goals hold. */
bool report(const std::vector<Row>& rows, bool json);

}  // namespace shift::bench
