#include "shift-node/control/ReadTally.h"

#include <functional>

namespace shift::node {

void ReadTally::record(const control::ReadRequest& request, TimePoint now) {
  policy_.record(request, now);
  const std::size_t slash = request.path.rfind('/');
  if (slash == std::string::npos) {
    return;
  }
  Reader reader{.job = request.job, .store = request.store, .directory = request.path.substr(0, slash)};
  Shard& shard = shards_[std::hash<std::string>()(reader.directory) % kShards];
  std::lock_guard lock(shard.mutex);
  if (shard.bytes.size() >= kReadersPerShard && !shard.bytes.contains(reader)) {
    ++shard.dropped;
    return;
  }
  shard.bytes[std::move(reader)] += request.length;
}

ReadTally::Bytes ReadTally::take() {
  Bytes all;
  for (Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    all.merge(shard.bytes);
    shard.bytes.clear();
  }
  return all;
}

std::uint64_t ReadTally::dropped() const {
  std::uint64_t sum = 0;
  for (const Shard& shard : shards_) {
    std::lock_guard lock(shard.mutex);
    sum += shard.dropped;
  }
  return sum;
}

}  // namespace shift::node
