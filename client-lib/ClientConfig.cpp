#include "client-lib/ClientConfig.h"

#include "common/ConfigSchema.h"
#include "common/HostPort.h"

namespace shift::client {
namespace {

void describe(ClientConfig& config, ConfigSchema& schema) {
  using std::chrono::milliseconds;
  using std::chrono::minutes;
  schema.text("store.name", config.storeName, "name of the backing store, the same on every client and node");
  schema.text("store.root", config.storeRoot, "directory that holds the backing store's files");
  schema.text(
      "ring.file", config.ringFile,
      "file that lists the nodes, looked at again and again; empty = the GMS's ring or, without a GMS, none");
  schema.text(
      "rules.file", config.ruleFile,
      "file of eligibility rules, looked at again and again; empty = the GMS's or, without a GMS, none");
  schema.text("gms.address", config.gms, "host:port of the GMS; empty = none");
  schema.text("gms.snapshot", config.gmsSnapshot,
              "file that keeps what the GMS said last, for a start without it; empty = none");
  schema.duration("gms.timeout", config.gmsTimeout, milliseconds(1), minutes(1), "longest wait for the GMS");
  schema.duration("refresh", config.refresh, milliseconds(10), minutes(10),
                  "how often a new ring and new rules are looked for");
  schema.byteSize(
      "disks.size", config.disks.diskBytes, 0, 1000 * kTiB,
      "size of one disk of the backing store; with it, tables whose own disks can serve what is asked "
      "of them go past the cache; 0 = off");
  schema.real("disks.rate", config.disks.diskBytesPerSecond, 0, 1e12,
              "bytes a second that one disk serves at the size of reads that jobs make");
  schema.real("disks.copies", config.disks.copies, 1, 100, "how often each byte is stored");
  schema.byteSize("block_size", config.blockSize, kMinSegmentSize, 4 * kGiB,
                  "what is placed on one node as a whole; the same on every client");
  schema.flag("verify", config.verify, "check the checksums of what nodes send");
  schema.duration("get_deadline", config.getDeadline, milliseconds(1), minutes(10),
                  "longest wait for one answer before the backing store is read instead");
  schema.duration("connect_timeout", config.connectTimeout, milliseconds(1), minutes(1),
                  "longest wait for a connection to a node");
  schema.integer("breaker.failures", config.breakerFailures, 1, 1000,
                 "failures in a row after which a node is left alone for a while");
  schema.duration("breaker.pause", config.breakerPause, milliseconds(1), minutes(60),
                  "how long it is left alone at first; twice as long after each further failure");
  schema.duration("breaker.max_pause", config.breakerMaxPause, milliseconds(1), minutes(60),
                  "and how long at most");
  schema.duration("hedge.after", config.hedgeAfter, milliseconds(1), minutes(1),
                  "a node is waited for at least this long before the backing store is read instead");
  schema.real("hedge.share", config.hedgeShare, 0, 1,
              "share of gets that may be given up for the backing store that way; 0 = none");
  schema.byteSize("read_ahead.window", config.readAhead, 0, kGiB,
                  "how far ahead of a sequential reader is read; 0 = not at all");
  schema.byteSize("read_ahead.total", config.readAheadTotal, 0, 64 * kGiB,
                  "memory for that, of all open files");
  schema.integer("read_ahead.threads", config.readAheadThreads, 1, 256, "threads for that");
  schema.text("metrics.file", config.metricsFile,
              "file that keeps this client's numbers for node_exporter's textfile collector, such as "
              "/var/lib/prometheus/node-exporter/shift-%p.prom, %p being the process's id; empty = none");
  schema.duration("metrics.every", config.metricsEvery, milliseconds(10), minutes(60),
                  "how often it is written");
  schema.rule([&config]() -> std::string {
    const Result<HostPort> address = parseHostPort(config.gms);
    return config.gms.empty() || address ? "" : "gms.address: " + address.error().message;
  });
  schema.rule([&config] {
    return config.disks.diskBytes > 0 && config.disks.diskBytesPerSecond <= 0
               ? "disks.rate: say how much a disk serves, or leave disks.size at 0"
               : "";
  });
  schema.rule(
      [&config] { return config.storeRoot.empty() ? "store.root: name the directory to read from" : ""; });
  schema.rule([&config] {
    return config.breakerMaxPause < config.breakerPause ? "breaker.max_pause: shorter than breaker.pause"
                                                        : "";
  });
}

}  // namespace

Result<ClientConfig> loadClientConfig(const std::string& path, std::span<const std::string> overrides) {
  ClientConfig config;
  ConfigSchema schema;
  describe(config, schema);
  try {
    schema.load(path, overrides);
  } catch (const ConfigError& error) {
    return Error{ErrorCode::kInvalidArgument, error.what()};
  }
  return config;
}

std::string printClientConfig(ClientConfig config) {
  ConfigSchema schema;
  describe(config, schema);
  return schema.print();
}

}  // namespace shift::client
