#include "shift-node/OpenEngine.h"

#include <new>

#include "common/ByteSize.h"
#include "shift-node/engine/MemoryEngine.h"
#include "shift-node/engine/flash/FlashEngine.h"

namespace shift::node {
namespace {

EvictionMode evictionMode(const std::string& name) {
  return name == "lru" ? EvictionMode::kLru : name == "fifo" ? EvictionMode::kFifo : EvictionMode::kScore;
}

IoMethod ioMethod(const std::string& name) {
  return name == "uring" ? IoMethod::kUring : name == "threads" ? IoMethod::kThreads : IoMethod::kAuto;
}

/** Throws std::bad_alloc if there is not that much memory. */
Result<std::unique_ptr<Engine>> open(const NodeConfig& config, EvictionHook hook, const Clock& clock,
                                     CounterRegistry& counters) {
  if (config.flashFiles.empty()) {
    return std::unique_ptr<Engine>(
        std::make_unique<MemoryEngine>(MemoryEngineConfig{.capacityBytes = config.dramBytes}, counters));
  }
  FlashEngineConfig flash;
  for (const std::string& path : config.flashFiles) {
    flash.files.push_back({.path = path, .bytes = config.flashBytes});
  }
  flash.dramBytes = config.dramBytes;
  flash.segmentSize = static_cast<std::uint32_t>(config.segmentSize);
  flash.mode = evictionMode(config.eviction);
  flash.io = ioMethod(config.flashIo);
  Result<std::unique_ptr<FlashEngine>> engine = FlashEngine::open(flash, clock, counters, std::move(hook));
  if (!engine) {
    return engine.error();
  }
  return std::unique_ptr<Engine>(*std::move(engine));
}

}  // namespace

Result<std::unique_ptr<Engine>> openEngine(const NodeConfig& config, EvictionHook hook, const Clock& clock,
                                           CounterRegistry& counters) {
  try {
    return open(config, std::move(hook), clock, counters);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kInvalidArgument, "cache.dram: this host does not give a process " +
                                                  formatByteSize(config.dramBytes) +
                                                  " of memory; make it smaller"};
  }
}

}  // namespace shift::node
