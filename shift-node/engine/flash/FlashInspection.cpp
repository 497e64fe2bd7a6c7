#include <atomic>

#include "shift-node/engine/flash/FlashEngine.h"

namespace shift::node {

std::size_t FlashEngine::keyParts() const {
  return parts_->shards.size();
}

std::vector<SegmentKey> FlashEngine::keysIn(std::size_t part) const {
  Shard& shard = parts_->shards[part];
  std::lock_guard lock(shard.mutex);
  std::vector<SegmentKey> keys = shard.index.keys();
  if (keys.empty()) {
    keys = shard.dram.keys();  // no device is in use: memory holds what there is
  }
  return keys;
}

void FlashEngine::verify(std::span<const SegmentKey> keys, VerifyDone done) {
  struct Checking {
    VerifyDone done;
    std::atomic<std::uint64_t> segments{0};
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::size_t> missing{0};
  };
  std::vector<FlashPlace> places;
  for (const SegmentKey& key : keys) {
    Shard& shard = parts_->shardOf(key.block);
    std::lock_guard lock(shard.mutex);
    const std::optional<SegmentEntry> entry = shard.index.copyOf(key);
    if (entry && !shard.writing.contains(key)) {  // else its bytes are not on flash yet
      places.push_back({key, *entry, shard.extentsOf(key, *entry)});
    }
  }
  if (places.empty()) {
    return done({});
  }
  auto checking = std::make_shared<Checking>();
  checking->done = std::move(done);
  checking->missing = places.size();
  std::vector<FlashReader::Job> jobs;
  jobs.reserve(places.size());
  for (FlashPlace& place : places) {
    jobs.push_back({std::move(place), [checking](const SegmentRef& segment) {
                      checking->segments += segment ? 1 : 0;
                      checking->bytes += segment ? segment.size : 0;
                      if (checking->missing.fetch_sub(1) == 1) {
                        checking->done({checking->segments, checking->bytes});
                      }
                    }});
  }
  reader_.start(std::move(jobs));
}

}  // namespace shift::node
