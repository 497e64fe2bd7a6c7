#include "shift-node/NodeMetrics.h"

#include <array>
#include <map>

#include "common/ConfigSchema.h"
#include "metrics/ProcessMetrics.h"
#include "metrics/RegistryMetrics.h"

namespace shift::node {
namespace {

using metrics::Exposition;
using metrics::Kind;

constexpr const char* kWritten = "engine_written_bytes_total";
constexpr const char* kWrittenHelp = "Bytes written to flash, by cause";
constexpr std::array<metrics::Relabelled, 3> kByCause = {{
    {"engine_written_admitted_bytes_total", kWritten, kWrittenHelp, "cause", "admitted"},
    {"engine_written_reinserted_bytes_total", kWritten, kWrittenHelp, "cause", "reinserted"},
    {"engine_written_metadata_bytes_total", kWritten, kWrittenHelp, "cause", "metadata"},
}};

void gauge(Exposition& exposition, const char* name, const char* help, double value,
           const Labels& labels = {}) {
  exposition.add(name, help, Kind::kGauge, labels, value);
}

/** The counters of a registry, with all labels of a family added up. */
std::map<std::string, double> sumsOf(const CounterRegistry& registry) {
  std::map<std::string, double> sums;
  for (const CounterValue& counter : registry.snapshot()) {
    sums[counter.family] += static_cast<double>(counter.value);
  }
  return sums;
}

/** `what` is "bucket" or "job". The label of the latter has another name: `job` is Prometheus' own. */
void addNamed(Exposition& exposition, const std::string& what, const std::string& label,
              const std::vector<NamedTraffic>& series) {
  if (series.empty()) {
    return;
  }
  const std::string prefix = "shift_node_" + what;
  metrics::Family& served = exposition.family(prefix + "_served_bytes_total",
                                              "Bytes returned to clients, by " + what, Kind::kCounter);
  metrics::Family& fetched = exposition.family(
      prefix + "_fetched_bytes_total", "Bytes read from the backing store, by " + what, Kind::kCounter);
  metrics::Family& gets =
      exposition.family(prefix + "_gets_total", "Gets by outcome and " + what, Kind::kCounter);
  for (const NamedTraffic& one : series) {
    const Traffic& traffic = one.traffic;
    const std::string labels = metrics::written({{label, one.name}});
    served.addWritten(labels, static_cast<double>(traffic.servedBytes));
    fetched.addWritten(labels, static_cast<double>(traffic.fetchedBytes));
    const auto addGets = [&](const char* outcome, std::uint64_t count) {
      gets.addWritten(labels + ",outcome=\"" + outcome + "\"", static_cast<double>(count));
    };
    addGets("hit", traffic.hits);
    addGets("filled", traffic.fills);
    addGets("refused", traffic.refusals);
    addGets("busy", traffic.requests - traffic.hits - traffic.fills - traffic.refusals);
  }
}

}  // namespace

std::string NodeMetrics::text() const {
  Exposition exposition;
  metrics::addProcess(exposition, "shift-node", started_);
  metrics::addRegistry(exposition, parts_.counters, kByCause);
  gauge(exposition, "shift_node_info", "1; the labels say which node this is, and what decides for it", 1,
        {{"engine", parts_.engine.status().name},
         {"node", parts_.config.id},
         {"policy", parts_.plane.parameters().policy},
         {"store", parts_.config.storeName}});
  addTraffic(exposition);
  addLimits(exposition);
  addEngine(exposition);
  addControl(exposition);
  addNamed(exposition, "bucket", "bucket", parts_.ledger.seriesByBucket());
  addNamed(exposition, "job", "job_id", parts_.ledger.seriesByJob());
  return exposition.text();
}

void NodeMetrics::addTraffic(Exposition& exposition) const {
  std::map<std::string, double> sums = sumsOf(parts_.counters);
  gauge(exposition, "shift_node_absorbed_bytes",
        "Absorbed IO: bytes returned to clients less bytes read from the backing store",
        sums["node_served_bytes_total"] - sums["node_backing_bytes_total"]);
  // Each hit stands for one read of a disk that was not made.
  const double seek = std::chrono::duration<double>(parts_.config.disks.seek).count();
  const double transfer =
      sums["node_get_hit_bytes_total"] / static_cast<double>(parts_.config.disks.bytesPerSecond);
  exposition.add("shift_node_disk_head_saved_seconds_total",
                 "Time of disk heads that hits have saved, by store.disk_seek and store.disk_bandwidth",
                 Kind::kCounter, {}, sums["node_get_hits_total"] * seek + transfer);
  gauge(exposition, "shift_node_in_flight_bytes", "Bytes that all answers under way hold",
        static_cast<double>(parts_.inFlightBytes()));
  gauge(exposition, "shift_node_lent_bytes", "Bytes sent without a copy that clients have not taken yet",
        static_cast<double>(parts_.lentBytes()));
}

void NodeMetrics::addLimits(Exposition& exposition) const {
  const NodeConfig& config = parts_.config;
  gauge(exposition, "shift_node_in_flight_limit_bytes", "server.max_in_flight: more is answered busy",
        static_cast<double>(config.maxInFlightBytes));
  gauge(exposition, "shift_node_fill_queue_limit_bytes", "fill.max_queued: more is answered busy",
        static_cast<double>(config.maxQueuedFills));
  gauge(exposition, "shift_node_connections_limit", "server.max_connections: more are closed at once",
        config.maxConnections);
}

void NodeMetrics::addEngine(Exposition& exposition) const {
  const EngineStatus status = parts_.engine.status();
  for (const TierStatus& tier : status.tiers) {
    const Labels labels{{"tier", std::string(toString(tier.tier))}};
    gauge(exposition, "shift_engine_capacity_bytes", "What the cache can hold, by tier",
          static_cast<double>(tier.capacityBytes), labels);
    gauge(exposition, "shift_engine_used_bytes", "What the cache holds, by tier",
          static_cast<double>(tier.usedBytes), labels);
    gauge(exposition, "shift_engine_segments", "Segments that the cache holds, by tier",
          static_cast<double>(tier.segments), labels);
  }
  for (const DeviceStatus& device : status.devices) {
    gauge(exposition, "shift_engine_device_in_use",
          "1 if the flash file or device is in use, 0 if it failed too often", device.isInUse ? 1 : 0,
          {{"device", device.name}});
  }
}

void NodeMetrics::addControl(Exposition& exposition) const {
  const control::Thresholds thresholds = parts_.plane.thresholds();
  gauge(exposition, "shift_control_admit_threshold", "A bucket is admitted above this priority",
        thresholds.admit);
  gauge(exposition, "shift_control_reinsert_threshold", "A bucket is reinserted above this priority",
        thresholds.reinsert);
  gauge(exposition, "shift_control_horizon_seconds", "planned admits what is used within this time",
        thresholds.horizonSeconds);
  const control::ThresholdTuner::State tuner = parts_.plane.tuning();
  gauge(exposition, "shift_control_write_limit_bytes_per_second",
        "policy.write_limit: what flash may be written with; 0 = no limit", tuner.writeLimit);
  gauge(exposition, "shift_control_write_rate_bytes_per_second",
        "What flash was written with, as the tuner last saw it", tuner.writeRate);
  gauge(exposition, "shift_control_write_aim_bytes_per_second", "What the tuner steers the rate to",
        tuner.aim);
  gauge(exposition, "shift_control_write_budget_bytes",
        "What the limit has allowed so far less what was written; nothing is admitted below 0", tuner.budget);
  gauge(exposition, "shift_control_pid_error", "The error that the tuner's PID got last", tuner.error);
  gauge(exposition, "shift_control_pid_output", "The output of the tuner's PID, within its limits",
        tuner.output);
  const auto term = [&](const char* name, double value) {
    gauge(exposition, "shift_control_pid_term", "What the PID's output is added up from", value,
          {{"term", name}});
  };
  term("proportional", tuner.terms.proportional);
  term("integral", tuner.terms.integral);
  term("derivative", tuner.terms.derivative);
}

metrics::Readiness NodeMetrics::readiness() const {
  if (isStopping_) {
    return {.isReady = false, .says = "stopping: answers under way are finished, no more are begun\n"};
  }
  const EngineStatus status = parts_.engine.status();
  metrics::Readiness readiness{.isReady = status.capacityBytes > 0, .says = ""};
  readiness.says = readiness.isReady ? "ready\n" : "the engine can hold nothing\n";
  for (const DeviceStatus& device : status.devices) {
    readiness.says += device.name + (device.isInUse ? ": in use\n" : ": out of use after too many errors\n");
  }
  return readiness;
}

std::string NodeMetrics::config() const {
  NodeConfig config = parts_.inForce();
  ConfigSchema schema;
  describe(config, schema);
  return schema.print();
}

}  // namespace shift::node
