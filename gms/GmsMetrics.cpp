#include "gms/GmsMetrics.h"

#include <map>

#include "gms/json/EntityJson.h"
#include "gms/json/JobJson.h"
#include "metrics/ProcessMetrics.h"
#include "metrics/RegistryMetrics.h"

namespace shift::gms {
namespace {

using metrics::Exposition;
using metrics::Kind;

/** What the database holds, in numbers. */
struct Holdings {
  std::int64_t revision = 0;
  std::int64_t ringEpoch = 0;
  std::int64_t bytes = 0;
  std::map<std::int64_t, std::int64_t> jobs;     // by state
  std::map<std::int64_t, std::int64_t> members;  // by state
};

std::map<std::int64_t, std::int64_t> countsByState(Database& database, std::string_view sql) {
  std::map<std::int64_t, std::int64_t> counts;
  for (const Row& row : database.query(sql)) {
    counts[row.number(0)] = row.number(1);
  }
  return counts;
}

Result<Holdings> holdingsOf(Database& database) {
  Holdings holdings;
  const Row store = database.query("SELECT revision, ring_epoch FROM store").at(0);
  holdings.revision = store.number(0);
  holdings.ringEpoch = store.number(1);
  holdings.jobs = countsByState(database, "SELECT state, COUNT(*) FROM jobs GROUP BY state");
  holdings.members = countsByState(database, "SELECT state, COUNT(*) FROM members GROUP BY state");
  holdings.bytes = database.sizeOnDisk();
  return holdings;
}

/** Every state has its series, those that nothing is in too. */
void addByState(Exposition& exposition, const char* name, const char* help,
                std::span<const NamedChoice> states, const std::map<std::int64_t, std::int64_t>& counts) {
  for (const NamedChoice& state : states) {
    const auto found = counts.find(state.value);
    exposition.add(name, help, Kind::kGauge, {{"state", std::string(state.name)}},
                   found == counts.end() ? 0 : static_cast<double>(found->second));
  }
}

}  // namespace

void GmsMetrics::observeHttp(const std::string& method, int status, Duration took) {
  parts_.counters
      .histogram("gms_http_request_seconds", "How long HTTP requests took, by method and status",
                 {{"code", std::to_string(status)}, {"method", method}})
      .record(took);
}

std::string GmsMetrics::text() const {
  Exposition exposition;
  metrics::addProcess(exposition, "shift-gms", started_);
  metrics::addRegistry(exposition, parts_.counters);
  exposition.add("shift_gms_thrift_connections", "Nodes, clients and tools connected to the Thrift service",
                 Kind::kGauge, {}, static_cast<double>(parts_.thriftConnections()));
  addDatabase(exposition);
  return exposition.text();
}

void GmsMetrics::addDatabase(Exposition& exposition) const {
  const TimePoint asked = parts_.clock.now();
  const Result<Holdings> holdings =
      parts_.metadata.read([](Database& database) { return holdingsOf(database); });
  exposition.add("shift_gms_database_up", "1 if the database answered this scrape, else 0", Kind::kGauge, {},
                 holdings ? 1 : 0);
  exposition.add("shift_gms_database_probe_seconds", "How long the database took to answer this scrape",
                 Kind::kGauge, {}, std::chrono::duration<double>(parts_.clock.now() - asked).count());
  if (!holdings) {
    return;
  }
  exposition.add("shift_gms_revision", "Revision of the last change", Kind::kGauge, {},
                 static_cast<double>(holdings->revision));
  exposition.add("shift_gms_ring_epoch", "Epoch of the ring: changes with every change of its members",
                 Kind::kGauge, {}, static_cast<double>(holdings->ringEpoch));
  exposition.add("shift_gms_database_size_bytes", "What the database takes on its disk", Kind::kGauge, {},
                 static_cast<double>(holdings->bytes));
  addByState(exposition, "shift_gms_jobs", "Jobs by state", jobStates(), holdings->jobs);
  addByState(exposition, "shift_gms_members", "Members of the ring by state", memberStates(),
             holdings->members);
}

metrics::Readiness GmsMetrics::readiness() const {
  const Result<Holdings> holdings =
      parts_.metadata.read([](Database& database) { return holdingsOf(database); });
  if (!holdings) {
    return {.isReady = false, .says = holdings.error().message + "\n"};
  }
  return {.isReady = true,
          .says = "ready\n" + parts_.metadata.description() + " answers; revision " +
                  std::to_string(holdings->revision) + "\n"};
}

}  // namespace shift::gms
