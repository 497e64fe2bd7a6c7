#include "client-lib/PastCache.h"

#include <utility>

namespace shift::client {

void PastCache::add(const std::string& table, const std::string& directory, std::uint64_t bytes) {
  std::lock_guard lock(mutex_);
  addTo(byTable_, table, bytes);
  addTo(byDirectory_, directory, bytes);
}

PastCache::ByTable PastCache::byTable() const {
  std::lock_guard lock(mutex_);
  return byTable_;
}

PastCache::ByTable PastCache::takeByDirectory() {
  std::lock_guard lock(mutex_);
  return std::exchange(byDirectory_, {});
}

void PastCache::addTo(ByTable& sums, const std::string& name, std::uint64_t bytes) {
  const bool isFull = sums.size() >= kMaxNames && !sums.contains(name);
  sums[isFull ? kOthers : name] += bytes;
}

}  // namespace shift::client
