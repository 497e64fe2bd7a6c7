// How a FlashEngine comes to be; what it does is in FlashEngine.cpp.

#include "common/ByteSize.h"
#include "common/Log.h"
#include "shift-node/engine/flash/FlashEngine.h"
#include "shift-node/engine/flash/FlashFile.h"
#include "shift-node/engine/flash/FlashRecovery.h"
#include "shift-node/engine/flash/ThreadPoolDevice.h"
#include "shift-node/engine/flash/UringDevice.h"

namespace shift::node {
namespace {

Error allOf(const std::vector<std::string>& faults, ErrorCode code) {
  std::string message;
  for (const std::string& fault : faults) {
    message += (message.empty() ? "" : "; ") + fault;
  }
  return {code, message};
}

Result<std::vector<FlashFile>> openFiles(const FlashEngineConfig& config) {
  std::vector<std::string> faults = config.validate();
  if (!faults.empty()) {
    return allOf(faults, ErrorCode::kInvalidArgument);
  }
  std::vector<FlashFile> files;
  ErrorCode code = ErrorCode::kIo;
  for (const FlashFileConfig& file : config.files) {
    Result<FlashFile> opened = FlashFile::open(file);
    if (opened) {
      files.push_back(std::move(*opened));
    } else {
      faults.push_back(opened.error().message);
      code = opened.error().code;
    }
  }
  if (!faults.empty()) {
    return allOf(faults, code);
  }
  return files;
}

Result<std::unique_ptr<Device>> makeDevice(FlashFile file, const FlashEngineConfig& config,
                                           std::span<std::byte> memory) {
  if (config.io != IoMethod::kThreads) {
    Result<std::unique_ptr<UringDevice>> ring = UringDevice::open(file, config.queueDepth, memory);
    if (ring) {
      return std::unique_ptr<Device>(std::move(*ring));
    }
    if (config.io == IoMethod::kUring) {
      return ring.error();
    }
    logWarning(file.path() + ": no io_uring, so threads instead: " + ring.error().message);
  }
  return std::unique_ptr<Device>(std::make_unique<ThreadPoolDevice>(std::move(file), config.ioThreads));
}

}  // namespace

Result<std::unique_ptr<FlashEngine>> FlashEngine::open(const FlashEngineConfig& config, const Clock& clock,
                                                       CounterRegistry& counters, EvictionHook hook) {
  Result<std::vector<FlashFile>> files = openFiles(config);
  if (!files) {
    return files.error();
  }
  std::unique_ptr<FlashEngine> engine(new FlashEngine(config, clock, counters, std::move(hook), &checksumOf));
  std::vector<std::unique_ptr<Device>> devices;
  for (FlashFile& file : *files) {
    Result<std::unique_ptr<Device>> device =
        makeDevice(std::move(file), config, engine->parts_->arena.memory());
    if (!device) {
      return device.error();
    }
    devices.push_back(std::move(*device));
  }
  if (const Status status = engine->adopt(std::move(devices)); !status) {
    return status.error();
  }
  engine->startBackgroundWork();
  return engine;
}

Result<std::unique_ptr<FlashEngine>> FlashEngine::create(const FlashEngineConfig& config,
                                                         std::vector<std::unique_ptr<Device>> devices,
                                                         const Clock& clock, CounterRegistry& counters,
                                                         EvictionHook hook, SegmentChecksum checksum) {
  std::unique_ptr<FlashEngine> engine(new FlashEngine(config, clock, counters, std::move(hook), checksum));
  if (const Status status = engine->adopt(std::move(devices)); !status) {
    return status.error();
  }
  return engine;
}

Status FlashEngine::adopt(std::vector<std::unique_ptr<Device>> devices) {
  for (std::unique_ptr<Device>& device : devices) {
    const TimePoint began = parts_->clock.now();
    const std::uint64_t before = parts_->segments;
    const auto number = static_cast<std::uint32_t>(parts_->volumes.size());
    Result<std::unique_ptr<Volume>> volume = Volume::open(std::move(device), number, parts_->config);
    if (!volume) {
      return volume.error();
    }
    parts_->volumes.push_back(std::move(*volume));
    Volume& added = *parts_->volumes.back();
    if (Status status = recoverVolume(*parts_, added); !status) {
      return status;
    }
    parts_->counters.devicesInUse.add(1);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(parts_->clock.now() - began);
    logInfo(added.device().name() + ": " + formatByteSize(static_cast<double>(added.dataBytes())) + " by " +
            added.device().describe() + "; " + std::to_string(parts_->segments - before) +
            " segments recovered in " + std::to_string(took.count()) + " ms");
  }
  return {};
}

void FlashEngine::startBackgroundWork() {
  const FlashEngineConfig& config = parts_->config;
  for (const auto& volume : parts_->volumes) {
    // A thread for each: a device that hangs must not keep the others' indexes from being written.
    tasks_.push_back(std::make_unique<PeriodicTask>(config.journalInterval, [this, raw = volume.get()] {
      if (raw->isInUse() && raw->journal().pendingBytes() > 0) {
        (void)writeJournalOf(*raw);  // counted; the next round tries again
      }
    }));
  }
  tasks_.push_back(std::make_unique<PeriodicTask>(config.ioTimeout / 4, [this] {
    expireOverdue();
    parts_->counters.indexBytes.set(static_cast<std::int64_t>(indexBytes()));
  }));
}

}  // namespace shift::node
