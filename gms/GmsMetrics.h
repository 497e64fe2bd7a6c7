#pragma once

#include <functional>
#include <string>

#include "common/Clock.h"
#include "common/Counters.h"
#include "gms/store/MetadataStore.h"
#include "metrics/Exposition.h"
#include "metrics/Introspection.h"

namespace shift::gms {

/** What a GMS tells about itself: its requests, and what its database holds. Thread-safe; borrows its parts.
 */
class GmsMetrics {
 public:
  struct Parts {
    MetadataStore& metadata;
    CounterRegistry& counters;
    std::function<std::int64_t()> thriftConnections;
    const Clock& clock;
  };
  explicit GmsMetrics(const Parts& parts) : parts_(parts), started_(parts.clock.wallNow()) {}

  void observeHttp(const std::string& method, int status, Duration took);

  /** Prometheus' text. What is asked of a database that does not answer is left out. */
  std::string text() const;
  metrics::Readiness readiness() const;

 private:
  void addDatabase(metrics::Exposition& exposition) const;

  const Parts parts_;
  const WallTime started_;
};

}  // namespace shift::gms
