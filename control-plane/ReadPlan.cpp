#include "control-plane/ReadPlan.h"

#include <algorithm>
#include <limits>
#include <map>

#include "blocks/Geometry.h"
#include "control-plane/BucketKey.h"
#include "control-plane/Hash.h"

namespace shift::control {

namespace {

/** Blocks reckoned while a partition's mutex is held: some ten microseconds. */
constexpr std::uint32_t kBlocksAtOnce = 256;
/** Reads by strangers that are noted between two refreshes. What goes beyond is missed, not waited for. */
constexpr std::size_t kMaxObserved = 1 << 16;

bool isAtOrBelow(std::string_view directory, std::string_view ancestor) {
  return directory.starts_with(ancestor) && (directory.size() == ancestor.size() ||
                                             directory[ancestor.size()] == '/' || ancestor.ends_with(':'));
}

}  // namespace

ReadPlan::ReadPlan(std::uint64_t blockSize, std::function<bool(const BlockId&)> owns)
    : blockSize_(blockSize), owns_(std::move(owns)) {}

void ReadPlan::setOwnership(std::function<bool(const BlockId&)> owns) {
  std::unique_lock structure(structure_);
  owns_ = std::move(owns);
  for (const auto& [directory, leaves] : listed_) {
    outdated_.insert(directory);
  }
}

void ReadPlan::setOptions(const PlanOptions& options) {
  std::unique_lock structure(structure_);
  options_ = options;
  for (const auto& [directory, partition] : partitions_) {
    std::lock_guard lock(partition->mutex());
    partition->setStale();
  }
}

void ReadPlan::record(const ReadRequest& request, double now) {
  std::shared_lock structure(structure_);
  const auto place = blocks_.find(request.block);
  const auto job = jobs_.find(request.job);
  if (place == blocks_.end() || job == jobs_.end()) {
    observe(request, now);
    return;
  }
  PlanPartition& partition = *place->second.partition;
  PlanReader* reader = job->second->readerIn(partition);
  if (reader == nullptr) {
    observe(request, now);
    return;
  }
  ScoreChange change;
  {
    std::lock_guard lock(partition.mutex());
    if (!partition.read(*reader, place->second.position, now)) {
      return;
    }
    change = {request.block, -partition.block(place->second.position).nextUse};
  }
  if (options_.scoring) {
    std::lock_guard lock(touchedMutex_);
    touched_.push_back(change);
  }
}

void ReadPlan::observe(const ReadRequest& request, double now) {
  const std::uint64_t key = mixHash(hashSegment(request.block, 0), hashText(request.job));
  std::lock_guard lock(observedMutex_);
  if (observed_.size() < kMaxObserved && observedKeys_.insert(key).second) {
    const std::uint64_t bytes = blockLength(request.fileSize, request.blockIndex, request.blockSize);
    observed_.push_back({request.job, directoryBucket(request.store, request.path), request.block,
                         static_cast<double>(bytes), now});
  }
}

NextUse ReadPlan::nextUse(const BlockId& block, double now) const {
  std::shared_lock structure(structure_);
  const auto place = blocks_.find(block);
  if (place == blocks_.end()) {
    return {.time = now + options_.windowSeconds, .uses = 0, .known = false};
  }
  std::lock_guard lock(place->second.partition->mutex());
  const PlanPartition::Block& held = place->second.partition->block(place->second.position);
  return {.time = held.nextUse, .uses = held.uses, .known = held.known};
}

void ReadPlan::applySpecs(std::span<const JobSpec> specs, double now) {
  std::unique_lock structure(structure_);
  for (const JobSpec& spec : specs) {
    if (spec.state == JobState::kFinished || spec.state == JobState::kFailed) {
      removeJob(spec.job);
      continue;
    }
    std::unique_ptr<PlanJob>& job = jobs_[spec.job];
    if (job == nullptr) {
      job = std::make_unique<PlanJob>();
      job->name = spec.job;
      job->announced = now;
    }
    if (job->spec != spec) {
      job->spec = spec;
      arrangeJob(*job, now);
    }
  }
}

void ReadPlan::setListing(const std::string& directory, std::span<const ListedFile> files, double now) {
  const std::string store = directory.substr(0, directory.find(':'));
  std::map<std::string, std::vector<ListedFile>> byDirectory;
  for (const ListedFile& file : files) {
    byDirectory[directoryBucket(store, file.path)].push_back(file);
  }
  std::unique_lock structure(structure_);
  outdated_.erase(directory);
  std::vector<PlanPartition*>& leaves = listed_[directory];
  leaves.clear();
  for (auto& [leaf, leafFiles] : byDirectory) {
    std::ranges::sort(leafFiles, {}, &ListedFile::path);
    PlanPartition& partition = partitionOf(leaf, now);
    {
      std::lock_guard lock(partition.mutex());
      for (std::uint32_t i = 0; i < partition.size(); ++i) {
        blocks_.erase(partition.block(i).id);
      }
      partition.setListing(leafFiles, blockSize_, owns_, now);
    }
    indexBlocks(partition);
    leaves.push_back(&partition);
  }
  for (const auto& [name, job] : jobs_) {
    if (job->spec.has_value() &&
        std::ranges::find(job->spec->partitions, directory) != job->spec->partitions.end()) {
      arrangeJob(*job, now);
    }
  }
}

std::vector<std::string> ReadPlan::wantedListings() const {
  std::shared_lock structure(structure_);
  std::vector<std::string> wanted;
  for (const auto& [name, job] : jobs_) {
    if (job->spec.has_value()) {
      for (const std::string& directory : job->spec->partitions) {
        if (!listed_.contains(directory) || outdated_.contains(directory)) {
          wanted.push_back(directory);
        }
      }
    }
  }
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

void ReadPlan::finishedReading(const std::string& job, const std::string& directory) {
  std::shared_lock structure(structure_);
  const auto entry = jobs_.find(job);
  if (entry == jobs_.end()) {
    return;
  }
  for (PlanPartition* partition : entry->second->sequence) {
    if (isAtOrBelow(partition->directory(), directory)) {
      std::lock_guard lock(partition->mutex());
      entry->second->readerIn(*partition)->finished = true;
      partition->setStale();
    }
  }
}

std::vector<ScoreChange> ReadPlan::takeTouched() {
  std::lock_guard lock(touchedMutex_);
  std::vector<ScoreChange> touched;
  touched.swap(touched_);
  return touched;
}

std::vector<ScoreChange> ReadPlan::refresh(double now) {
  std::vector<ScoreChange> changes = takeTouched();
  {
    std::unique_lock structure(structure_);
    takeInObservations(now);
    dropUnused(now, changes);
  }
  std::shared_lock structure(structure_);
  JobForecastConfig config{.refreshSeconds = options_.refreshSeconds,
                           .deadAfterSeconds = std::max(600.0, options_.windowSeconds / 6),
                           .countAnnounced = options_.countAnnounced,
                           .typicalJobRate = typicalJobRate_};
  std::vector<double> rates;
  for (const auto& [name, job] : jobs_) {
    if (const double rate = forecastJob(*job, config, now); rate > 0) {
      rates.push_back(rate);
    }
  }
  if (!rates.empty()) {
    std::ranges::nth_element(rates, rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2));
    typicalJobRate_ = rates[rates.size() / 2];
  }
  if (options_.scoring) {
    scoreStale(now, changes);
  }
  return changes;
}

void ReadPlan::scoreStale(double now, std::vector<ScoreChange>& changes) {
  for (const auto& [directory, partition] : partitions_) {
    std::unique_lock lock(partition->mutex());
    if (!partition->isStale(now)) {
      continue;
    }
    partition->beginScoring(now);
    for (std::uint32_t from = 0; from < partition->size(); from += kBlocksAtOnce) {
      partition->score(from, kBlocksAtOnce, now, [&](const PlanPartition::Block& block) {
        changes.push_back({block.id, -block.nextUse});
      });
      lock.unlock();  // let requests through
      lock.lock();
    }
  }
}

void ReadPlan::forEachPending(const std::function<void(const PendingRead&)>& visit) const {
  std::shared_lock structure(structure_);
  for (const auto& [name, job] : jobs_) {
    for (PlanPartition* partition : job->sequence) {
      std::lock_guard lock(partition->mutex());
      const PlanReader& reader = *job->readerIn(*partition);
      const bool isThrough = reader.finished || (partition->isListed() && reader.progress.isNearlyAll());
      if (reader.bySpec && !(isThrough && reader.isLastPass())) {
        visit({name, partition->directory()});
      }
    }
  }
}

PlanPartition& ReadPlan::partitionOf(const std::string& directory, double now) {
  std::unique_ptr<PlanPartition>& partition = partitions_[directory];
  if (partition == nullptr) {
    partition = std::make_unique<PlanPartition>(directory, options_.windowSeconds, now);
  }
  return *partition;
}

void ReadPlan::indexBlocks(PlanPartition& partition) {
  std::lock_guard lock(partition.mutex());
  for (std::uint32_t i = 0; i < partition.size(); ++i) {
    blocks_[partition.block(i).id] = {&partition, i};
  }
}

void ReadPlan::arrangeJob(PlanJob& job, double now) {
  std::vector<PlanPartition*> sequence;
  for (const std::string& directory : job.spec->partitions) {
    if (const auto leaves = listed_.find(directory); leaves != listed_.end()) {
      sequence.insert(sequence.end(), leaves->second.begin(), leaves->second.end());
    } else {
      sequence.push_back(&partitionOf(directory, now));
    }
  }
  const std::vector<PlanPartition*> named = sequence;
  const auto isNamedBySpec = [&](const PlanPartition* partition) {
    return std::ranges::find(named, partition) != named.end();
  };
  // What it was seen reading stays, unless only the old spec spoke of it.
  for (PlanPartition* partition : job.sequence) {
    if (!isNamedBySpec(partition)) {
      std::lock_guard lock(partition->mutex());
      PlanReader* reader = job.readerIn(*partition);
      if (reader->progress.lastRead() > 0) {
        sequence.push_back(partition);
      } else {
        partition->removeReader(*reader);
        job.readers.erase(partition);
      }
    }
  }
  for (PlanPartition* partition : sequence) {
    std::lock_guard lock(partition->mutex());
    PlanReader*& reader = job.readers[partition];
    if (reader == nullptr) {
      reader = &partition->addReader(true, &*job.spec, now);
    }
    reader->bySpec = isNamedBySpec(partition);
    reader->passes = job.spec->epochs;
    partition->setStale();
  }
  job.sequence = std::move(sequence);
}

void ReadPlan::removeJob(const std::string& name) {
  const auto entry = jobs_.find(name);
  if (entry == jobs_.end()) {
    return;
  }
  for (PlanPartition* partition : entry->second->sequence) {
    std::lock_guard lock(partition->mutex());
    partition->removeReader(*entry->second->readerIn(*partition));
  }
  jobs_.erase(entry);
}

void ReadPlan::takeInObservations(double now) {
  std::vector<Observation> observed;
  {
    std::lock_guard lock(observedMutex_);
    observed.swap(observed_);
    observedKeys_.clear();
  }
  for (const Observation& seen : observed) {
    PlanPartition& partition = partitionOf(seen.directory, now);
    auto place = blocks_.find(seen.block);
    if (place == blocks_.end()) {
      std::lock_guard lock(partition.mutex());
      place =
          blocks_.emplace(seen.block, Place{&partition, partition.append(seen.block, seen.bytes, now)}).first;
    }
    std::unique_ptr<PlanJob>& job = jobs_[seen.job];
    if (job == nullptr) {
      job = std::make_unique<PlanJob>();
      job->name = seen.job;
      job->announced = seen.time;
    }
    std::lock_guard lock(partition.mutex());
    PlanReader*& reader = job->readers[&partition];
    if (reader == nullptr) {
      const bool bySpec = job->spec.has_value() &&
                          std::ranges::any_of(job->spec->partitions, [&](const std::string& directory) {
                            return isAtOrBelow(seen.directory, directory);
                          });
      reader = &partition.addReader(bySpec, job->spec.has_value() ? &*job->spec : nullptr, seen.time);
      job->sequence.push_back(&partition);
    }
    partition.read(*reader, place->second.position, seen.time);
  }
}

void ReadPlan::dropUnused(double now, std::vector<ScoreChange>& changes) {
  std::erase_if(jobs_, [&](const auto& entry) {
    PlanJob& job = *entry.second;
    if (job.spec.has_value()) {
      return false;
    }
    const bool silent = std::ranges::all_of(job.sequence, [&](PlanPartition* partition) {
      std::lock_guard lock(partition->mutex());
      return now - job.readerIn(*partition)->progress.lastRead() > options_.windowSeconds;
    });
    if (silent) {
      for (PlanPartition* partition : job.sequence) {
        std::lock_guard lock(partition->mutex());
        partition->removeReader(*job.readerIn(*partition));
      }
    }
    return silent;
  });
  std::erase_if(partitions_, [&](const auto& entry) {
    PlanPartition& partition = *entry.second;
    std::unique_lock lock(partition.mutex());
    if (partition.hasReaders() || now - partition.lastUse() <= options_.windowSeconds) {
      return false;
    }
    for (std::uint32_t i = 0; i < partition.size(); ++i) {
      blocks_.erase(partition.block(i).id);
      changes.push_back({partition.block(i).id, -std::numeric_limits<double>::max()});
    }
    std::erase_if(listed_, [&](const auto& listing) {
      return std::ranges::find(listing.second, &partition) != listing.second.end();
    });
    std::erase_if(outdated_, [&](const std::string& directory) { return !listed_.contains(directory); });
    lock.unlock();
    return true;
  });
}

}  // namespace shift::control
