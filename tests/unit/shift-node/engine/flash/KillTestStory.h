#pragma once

#include <string>

#include "shift-node/engine/flash/FlashEngineConfig.h"
#include "tests/support/engine/EngineTestKit.h"

namespace shift::test {

/** What KillTest and its victim agree on. */
inline node::FlashEngineConfig killTestConfig(const std::string& path) {
  node::FlashEngineConfig config;
  config.files = {{path, 32 * kMiB}};
  config.segmentSize = 64 * kKiB;
  config.dramBytes = kMiB;
  config.mode = node::EvictionMode::kFifo;
  config.journalInterval = std::chrono::milliseconds(1);
  return config;
}

inline SegmentKey killTestKey(std::uint64_t number) {
  return {{number / 8, 5}, static_cast<std::uint32_t>(number % 8)};
}

inline std::uint32_t killTestSize(std::uint64_t number) {
  return static_cast<std::uint32_t>(1 + number * 7919 % (64 * kKiB));
}

}  // namespace shift::test
