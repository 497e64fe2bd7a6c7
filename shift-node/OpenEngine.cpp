#include "shift-node/OpenEngine.h"

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

}  // namespace

Result<std::unique_ptr<Engine>> openEngine(const NodeConfig& config, EvictionHook hook, const Clock& clock,
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

}  // namespace shift::node
