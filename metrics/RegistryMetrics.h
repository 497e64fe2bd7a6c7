#pragma once

#include <span>
#include <string_view>

#include "common/Counters.h"
#include "metrics/Exposition.h"

namespace shift::metrics {

/** A counter that is shown as one series of a family of several. */
struct Relabelled {
  std::string_view counter;  // "engine_written_metadata_bytes_total"
  std::string_view family;   // "engine_written_bytes_total"
  std::string_view help;     // of the family
  std::string_view label;    // "cause"
  std::string_view value;    // "metadata"
};

/**
 * Adds all counters and histograms of a registry under their names with `shift_` before them. A name that
 * ends in _total is a counter, every other a gauge; nanoseconds become seconds.
 */
void addRegistry(Exposition& exposition, const CounterRegistry& registry,
                 std::span<const Relabelled> relabelled = {});

}  // namespace shift::metrics
