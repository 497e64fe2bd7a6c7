#include "shift-node/NodeConfig.h"

#include "common/ConfigSchema.h"

namespace shift::node {

namespace {

/** The control plane's parameters: the paper's Table 2, and what its text adds. */
void describePolicy(NodeConfig& config, ConfigSchema& schema) {
  control::Parameters& parameters = config.parameters;
  schema.choice("policy.name", config.policy,
                {"auto", "admit-all", "historic", "future", "hybrid", "planned"},
                "what decides which misses are fetched and kept; auto = planned with a GMS, else admit-all");
  schema.byteSize("policy.block_size", config.blockSize, kMinSegmentSize, 4 * kGiB,
                  "the clients' block size, for planned");
  schema.choice("policy.mapping", config.mapping, {"directory", "file", "table", "range"},
                "what segments are decided on together");
  schema.text("policy.table_pattern", parameters.tablePattern,
              "mapping table: a regular expression on the path, whose first group names the table");
  schema.byteSize("policy.range_bytes", parameters.rangeBytes, 64 * kKiB, kTiB,
                  "mapping range: how much of a file is one bucket");
  schema.real("policy.min_admit_threshold", parameters.minAdmitThreshold, 0, 1000,
              "AdmitThreshold never falls below this; 0 = no minimum");
  schema.real("policy.max_admit_threshold", parameters.maxAdmitThreshold, 0, 1e6,
              "the tuner never raises AdmitThreshold above this");
  schema.flag("policy.reinsertion", parameters.reinsertion,
              "write segments again that are about to leave flash; needs cache.eviction = \"fifo\"");
  schema.real("policy.reinsert_offset", parameters.reinsertOffset, 0, 1000,
              "ReinsertThreshold = AdmitThreshold + this");
  schema.duration("policy.bucket_refresh_time", parameters.bucketRefreshTime, std::chrono::milliseconds(100),
                  std::chrono::hours(1), "how often buckets get their policies anew");
  schema.duration("policy.history_window", parameters.historyWindow, std::chrono::seconds(1),
                  std::chrono::hours(24 * 7), "how far back requests are remembered (RHWSize)");
  schema.integer("policy.history_steps", parameters.historySteps, 2, 6,
                 "in how many steps that window moves on");
  schema.integer("policy.max_buckets", parameters.maxBuckets, 64, 1 << 24,
                 "buckets remembered; beyond it the least used are forgotten first");
  schema.byteSize("policy.write_limit", parameters.writeLimit, 0, kTiB,
                  "bytes a second that flash may be written with, for its endurance; 0 = no limit");
  schema.real("policy.proportional_gain", parameters.proportionalGain, 0, 1000,
              "of the tuner, on the error as a share of the write limit");
  schema.real("policy.integral_gain", parameters.integralGain, 0, 1000, "of the tuner, per second");
  schema.real("policy.derivative_gain", parameters.derivativeGain, 0, 1000, "of the tuner, times seconds");
  schema.flag("policy.count_announced", parameters.countAnnounced,
              "planned counts jobs that have not started yet");
  schema.text("policy.arm", config.arm,
              "the arm of a comparison of policies that this node is in (shiftctl ab); empty = none");
  schema.rule([&config] {
    const std::vector<std::string> faults = control::faultsOf(controlParameters(config));
    return faults.empty() ? std::string() : "policy: " + faults.front();
  });
}

}  // namespace

control::Parameters controlParameters(const NodeConfig& config) {
  control::Parameters parameters = config.parameters;
  parameters.policy = resolvedPolicy(config);
  parameters.mapping = control::mappingNamed(config.mapping).value_or(control::Mapping::kDirectory);
  return parameters;
}

std::string resolvedPolicy(const NodeConfig& config) {
  if (config.policy != "auto") {
    return config.policy;
  }
  return config.gms.empty() ? "admit-all" : "planned";
}

void describe(NodeConfig& config, ConfigSchema& schema) {
  using std::chrono::seconds;
  schema.text("id", config.id, "this node's identity on the ring; its address may change, its id may not");
  schema.address("listen", config.listen, "address of the read protocol; port 0 = any free port");
  schema.address("admin_listen", config.adminListen, "address of the admin service; port 0 = any free port");
  schema.text(
      "metrics_listen", config.metricsListen,
      "address of the dashboard, /metrics, /healthz, /readyz and /config over HTTP, as host:port; port 0 "
      "= any free port; empty = none");
  schema.integer(
      "metrics.max_series", config.maxSeries, 0, 10'000,
      "buckets, and jobs, that metrics name, those that were served most; the rest are one series");
  schema.text("store.name", config.storeName, "name of the backing store, the same on every client and node");
  schema.text("store.root", config.storeRoot, "directory that holds the backing store's files");
  store::describe(config.disks, schema);
  schema.byteSize("cache.dram", config.dramBytes, kMinSegmentSize, 64 * kTiB, "memory for cached segments");
  schema.textList("cache.flash_files", config.flashFiles,
                  "files or block devices on flash that hold cached segments; none = memory only");
  schema.byteSize("cache.flash", config.flashBytes, 0, 16 * kTiB,
                  "how much of each flash file to use; 0 = all of what is there");
  schema.byteSize("cache.flash_endurance", config.flashEndurance, 0, 1'000'000 * kTiB,
                  "what all flash files together may be written with in their life, by the maker's word "
                  "(TBW); 0 = not known");
  schema.choice("cache.eviction", config.eviction, {"score", "lru", "fifo"},
                "what leaves flash first: the worst score, the least recently used, or the oldest");
  schema.choice("cache.flash_io", config.flashIo, {"auto", "uring", "threads"},
                "how flash is read and written; auto = io_uring where the kernel permits");
  schema.byteSize("cache.segment_size", config.segmentSize, kMinSegmentSize, kMaxSegmentSize,
                  "what is fetched and cached as one piece; a power of two");
  describePolicy(config, schema);
  schema.text(
      "ring.file", config.ringFile,
      "file that lists the nodes, as clients have it: tells which blocks are this node's; empty = as the "
      "GMS's members tell or, without a GMS, all");
  schema.text("state_file", config.stateFile,
              "file that keeps what was set while the node ran, and what its flash was written with in all; "
              "empty = both are forgotten at a restart");
  schema.text("trace.directory", config.traceDirectory,
              "directory for recordings of requests (shiftctl trace); empty = there are none");
  schema.text("gms.address", config.gms, "where the GMS is, as host:port; empty = no dataset specs");
  schema.text("gms.snapshot_file", config.gmsSnapshot,
              "file that keeps what the GMS last said, for a restart while it is down; empty = none");
  schema.integer("server.threads", config.serverThreads, 0, 64,
                 "threads that talk to clients and read flash for them; 0 = one for each core");
  schema.text("server.congestion_control", config.congestionControl,
              "TCP congestion control towards clients, such as cubic; empty = the system's");
  schema.integer("server.max_connections", config.maxConnections, 1, 1'000'000,
                 "connections open at once; more are closed at once");
  schema.byteSize("server.max_in_flight", config.maxInFlightBytes, 8 * kMiB, 1 * kTiB,
                  "bytes that all answers under way may hold; more is answered busy");
  schema.byteSize(
      "server.max_lent", config.maxLentBytes, 0, 1 * kTiB,
      "bytes that may be sent without a copy and that clients have not taken yet, at most a quarter of "
      "cache.dram; 0 = all is copied");
  schema.duration("server.drain_timeout", config.drainTimeout, seconds(0), seconds(600),
                  "how long a stopping node lets answers under way finish");
  schema.integer("fill.threads", config.fillThreads, 1, 1024, "reads of the backing store at once");
  schema.byteSize("fill.max_read", config.maxBackingRead, kMinSegmentSize, 64 * kMiB,
                  "neighbouring segments are fetched as one read up to this size");
  schema.byteSize("fill.max_queued", config.maxQueuedFills, kMinSegmentSize, 64 * kGiB,
                  "bytes waiting to be fetched; more is answered busy");
  schema.rule([&config] { return config.id.empty() ? "id: give the node an id" : ""; });
  schema.rule([&config] {
    const Result<HostPort> address = parseHostPort(config.metricsListen);
    return config.metricsListen.empty() || address ? std::string()
                                                   : "metrics_listen: " + address.error().message;
  });
  schema.rule([&config] { return config.storeName.empty() ? "store.name: give the store a name" : ""; });
  schema.rule([&config] {
    return config.storeRoot.empty() ? "store.root: name the directory of the backing store" : "";
  });
  schema.rule([&config] {
    const bool powerOfTwo = (config.segmentSize & (config.segmentSize - 1)) == 0;
    return powerOfTwo ? "" : "cache.segment_size: must be a power of two";
  });
  schema.rule([&config] {
    return config.dramBytes < config.segmentSize ? "cache.dram: must hold at least one segment" : "";
  });
}

}  // namespace shift::node
