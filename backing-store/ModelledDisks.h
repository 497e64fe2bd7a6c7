#pragma once

#include <memory>

#include "backing-store/BackingStore.h"
#include "backing-store/DiskConfig.h"
#include "backing-store/DiskModel.h"
#include "common/Clock.h"
#include "common/Counters.h"
#include "common/Waiter.h"

namespace shift::store {

/**
 * Another store, as slow as if it lay on hard disks: a read returns when the inner store has answered and the
 * disks, each with a queue of its own, would have. Bytes, versions, listings and errors are the inner
 * store's; a read that fails has cost its disk time all the same. Opening, stat and listing cost nothing, nor
 * does a read past the end.
 *
 * A file is spread over the disks in stripes of 72 MiB, the default size of a block, as a large distributed
 * file system places its blocks: where a stripe lies follows from its id alone, and neighbours are
 * independent of each other. A read across a border is one read on each of the disks, side by side.
 *
 * Thread-safe. Counts, as disk_*, in the registry.
 */
class ModelledDisks final : public BackingStore {
 public:
  /** At least one disk. Clock, waiter and registry must outlive the store and the files opened from it. */
  ModelledDisks(std::unique_ptr<BackingStore> inner, DiskModel model, const Clock& clock,
                const Waiter& waiter, CounterRegistry& counters);
  ~ModelledDisks() override;

  const std::string& name() const override;
  Result<FileInfo> stat(std::string_view path) const override;
  Result<std::unique_ptr<BackingFile>> open(std::string_view path) const override;
  Result<std::vector<ListedFile>> list(std::string_view directory) const override;

 private:
  class Disks;
  class File;

  const std::unique_ptr<BackingStore> inner_;
  const std::shared_ptr<Disks> disks_;  // shared with open files, which may outlive the store
};

/** The store on modelled disks, or the store itself if the configuration asks for none. Fails if their queues
 * are in a file that cannot be used. */
Result<std::unique_ptr<BackingStore>> putOnDisks(std::unique_ptr<BackingStore> store,
                                                 const DiskConfig& config, const Clock& clock,
                                                 const Waiter& waiter, CounterRegistry& counters);

}  // namespace shift::store
