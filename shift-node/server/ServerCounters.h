#pragma once

#include "common/Counters.h"

namespace shift::node {

struct ServerCounters {
  explicit ServerCounters(CounterRegistry& registry)
      : accepted(registry.counter("node_connections_accepted_total", "Connections accepted")),
        open(registry.counter("node_connections_open", "Connections open now")),
        refused(registry.counter("node_connections_refused_total",
                                 "Connections closed at once: too many were open")),
        malformed(registry.counter("node_frames_malformed_total", "Connections ended by a malformed frame")),
        overloaded(registry.counter("node_get_misses_total", "Gets that were not served, by reason",
                                    {{"reason", "overload"}})) {}

  Counter& accepted;
  Counter& open;
  Counter& refused;
  Counter& malformed;
  Counter& overloaded;  // too many bytes in flight
};

}  // namespace shift::node
