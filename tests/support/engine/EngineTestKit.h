#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/Clock.h"
#include "common/Counters.h"
#include "shift-node/engine/Engine.h"
#include "shift-node/engine/flash/FlashEngine.h"
#include "tests/support/engine/FakeDevice.h"

namespace shift::test {

/** A segment whose bytes follow from its key and a version, with the right checksum. */
node::SegmentRef makeSegment(const SegmentKey& key, std::uint32_t size, unsigned version = 0);
/** Whether the bytes are those of makeSegment() with that version. */
bool isSegment(const node::SegmentRef& segment, const SegmentKey& key, unsigned version = 0);

/** Looks one segment up and waits for it. */
node::SegmentRef lookUp(node::Engine& engine, const SegmentKey& key, node::Check check = node::Check::kOnce);
bool isHeld(const node::Engine& engine, const SegmentKey& key);

std::int64_t valueOf(const CounterRegistry& counters, std::string_view name);

/** The size of a device whose data area holds exactly so many units, with the smallest journal. */
std::uint64_t deviceBytesFor(std::uint32_t dataUnits);

/** Flips a bit in every unit of a device's data area of so many units. */
void spoilData(DeviceImage& image, std::uint32_t dataUnits);

/** Small segments, no spare, and memory for next to nothing: every lookup goes to flash. */
node::FlashEngineConfig smallConfig();

/** One engine over one device; fails the test if it cannot be made. */
std::unique_ptr<node::FlashEngine> makeEngine(const node::FlashEngineConfig& config,
                                              std::unique_ptr<node::Device> device, const Clock& clock,
                                              CounterRegistry& counters, node::EvictionHook hook = {},
                                              node::SegmentChecksum checksum = &checksumOf);

}  // namespace shift::test
