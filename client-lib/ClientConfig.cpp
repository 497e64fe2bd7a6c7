#include "client-lib/ClientConfig.h"

#include "common/ConfigSchema.h"

namespace shift::client {
namespace {

void describe(ClientConfig& config, ConfigSchema& schema) {
  using std::chrono::milliseconds;
  using std::chrono::minutes;
  schema.text("store.name", config.storeName, "name of the backing store, the same on every client and node");
  schema.text("store.root", config.storeRoot, "directory that holds the backing store's files");
  schema.text("ring.file", config.ringFile, "file that lists the nodes; empty = read the backing store only");
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

}  // namespace shift::client
