#include "shift-node/NodeConfig.h"

#include "common/ConfigSchema.h"

namespace shift::node {

void describe(NodeConfig& config, ConfigSchema& schema) {
  using std::chrono::seconds;
  schema.text("id", config.id, "this node's identity on the ring; its address may change, its id may not");
  schema.address("listen", config.listen, "address of the read protocol; port 0 = any free port");
  schema.address("admin_listen", config.adminListen, "address of the admin service; port 0 = any free port");
  schema.text("store.name", config.storeName, "name of the backing store, the same on every client and node");
  schema.text("store.root", config.storeRoot, "directory that holds the backing store's files");
  schema.byteSize("cache.dram", config.dramBytes, kMinSegmentSize, 64 * kTiB, "memory for cached segments");
  schema.textList("cache.flash_files", config.flashFiles,
                  "files or block devices on flash that hold cached segments; none = memory only");
  schema.byteSize("cache.flash", config.flashBytes, 0, 16 * kTiB,
                  "how much of each flash file to use; 0 = all of what is there");
  schema.choice("cache.eviction", config.eviction, {"score", "lru", "fifo"},
                "what leaves flash first: the worst score, the least recently used, or the oldest");
  schema.choice("cache.flash_io", config.flashIo, {"auto", "uring", "threads"},
                "how flash is read and written; auto = io_uring where the kernel permits");
  schema.byteSize("cache.segment_size", config.segmentSize, kMinSegmentSize, kMaxSegmentSize,
                  "what is fetched and cached as one piece; a power of two");
  schema.integer("server.threads", config.serverThreads, 1, 64, "threads that talk to clients");
  schema.integer("server.max_connections", config.maxConnections, 1, 1'000'000,
                 "connections open at once; more are closed at once");
  schema.byteSize("server.max_in_flight", config.maxInFlightBytes, 8 * kMiB, 1 * kTiB,
                  "bytes that all answers under way may hold; more is answered busy");
  schema.duration("server.drain_timeout", config.drainTimeout, seconds(0), seconds(600),
                  "how long a stopping node lets answers under way finish");
  schema.integer("fill.threads", config.fillThreads, 1, 1024, "reads of the backing store at once");
  schema.byteSize("fill.max_read", config.maxBackingRead, kMinSegmentSize, 64 * kMiB,
                  "neighbouring segments are fetched as one read up to this size");
  schema.byteSize("fill.max_queued", config.maxQueuedFills, kMinSegmentSize, 64 * kGiB,
                  "bytes waiting to be fetched; more is answered busy");
  schema.rule([&config] { return config.id.empty() ? "id: give the node an id" : ""; });
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
