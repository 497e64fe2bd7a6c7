#include "tests/support/engine/EngineTestKit.h"

#include <cstring>
#include <future>
#include <stdexcept>

#include "blocks/Checksum.h"
#include "shift-node/engine/flash/Journal.h"

namespace shift::test {
namespace {

std::uint64_t wordOf(const SegmentKey& key, unsigned version, std::uint64_t at) {
  return (key.block.low * 31 + key.block.high * 7 + key.segment + 1) * 0x9e3779b97f4a7c15ULL +
         version * 1000003 + at;
}

}  // namespace

node::SegmentRef makeSegment(const SegmentKey& key, std::uint32_t size, unsigned version) {
  const std::shared_ptr<std::byte> memory = node::allocateSegment(size);
  for (std::uint32_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = wordOf(key, version, at);
    std::memcpy(memory.get() + at, &word, std::min<std::size_t>(sizeof word, size - at));
  }
  return {memory, size, checksumOf(key, 0, {memory.get(), size})};
}

bool isSegment(const node::SegmentRef& segment, const SegmentKey& key, unsigned version) {
  for (std::uint32_t at = 0; at < segment.size; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = wordOf(key, version, at);
    if (std::memcmp(segment.data.get() + at, &word, std::min<std::size_t>(sizeof word, segment.size - at)) !=
        0) {
      return false;
    }
  }
  return static_cast<bool>(segment);
}

node::SegmentRef lookUp(node::Engine& engine, const SegmentKey& key, node::Check check) {
  std::promise<node::SegmentRef> answer;
  engine.lookup({&key, 1}, check,
                [&](std::vector<node::SegmentRef> found) { answer.set_value(found.at(0)); });
  return answer.get_future().get();
}

bool isHeld(const node::Engine& engine, const SegmentKey& key) {
  return engine.probe({&key, 1})[0];
}

std::int64_t valueOf(const CounterRegistry& counters, std::string_view name) {
  for (const CounterValue& counter : counters.snapshot()) {
    if (counter.name == name) {
      return counter.value;
    }
  }
  throw std::runtime_error("no counter " + std::string(name));
}

std::uint64_t deviceBytesFor(std::uint32_t dataUnits) {
  constexpr std::uint32_t kSuperblocks = 2;
  return (std::uint64_t{kSuperblocks} + node::Journal::kMinPages + dataUnits) * node::kUnitBytes;
}

void spoilData(DeviceImage& image, std::uint32_t dataUnits) {
  for (std::size_t at = image.bytes.size() - std::size_t{dataUnits} * node::kUnitBytes;
       at < image.bytes.size(); at += node::kUnitBytes) {
    image.bytes[at] ^= std::byte{1};
  }
}

node::FlashEngineConfig smallConfig() {
  node::FlashEngineConfig config;
  config.segmentSize = 64 * kKiB;
  config.dramBytes = node::kUnitBytes;
  config.spareShare = 0;
  return config;
}

std::unique_ptr<node::FlashEngine> makeEngine(const node::FlashEngineConfig& config,
                                              std::unique_ptr<node::Device> device, const Clock& clock,
                                              CounterRegistry& counters, node::EvictionHook hook,
                                              node::SegmentChecksum checksum) {
  std::vector<std::unique_ptr<node::Device>> devices;
  devices.push_back(std::move(device));
  auto engine =
      node::FlashEngine::create(config, std::move(devices), clock, counters, std::move(hook), checksum);
  if (!engine) {
    throw std::runtime_error(engine.error().message);
  }
  return std::move(*engine);
}

}  // namespace shift::test
