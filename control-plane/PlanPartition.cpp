#include "control-plane/PlanPartition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "blocks/Geometry.h"

namespace shift::control {

namespace {

/** However steady everything looks, reckon again after so long: blocks may have been skipped. */
constexpr double kScoreAtLeastEvery = 60;
constexpr double kOrderTolerance = 0.02;
/** Arrivals closer together than this say nothing of a rate. */
constexpr double kArrivalGrace = 60;

}  // namespace

PlanPartition::PlanPartition(std::string directory, double windowSeconds, double now)
    : directory_(std::move(directory)), windowSeconds_(windowSeconds), lastUse_(now) {}

double PlanPartition::spacing() const {
  return blocks_.empty() ? totalBytes_ : totalBytes_ / static_cast<double>(blocks_.size());
}

void PlanPartition::setListing(std::span<const ListedFile> files, std::uint64_t blockSize,
                               const std::function<bool(const BlockId&)>& owns, double now) {
  const std::string_view store = std::string_view(directory_).substr(0, directory_.find(':'));
  std::vector<Block> old;
  old.swap(blocks_);
  fileOfBlock_.clear();
  files_.clear();
  totalBytes_ = 0;
  for (const ListedFile& file : files) {
    files_.push_back({totalBytes_, static_cast<double>(file.size)});
    const std::uint64_t count = (file.size + blockSize - 1) / blockSize;
    for (std::uint64_t index = 0; index < count; ++index) {
      const BlockId id = blockIdOf(store, file.path, file.version, blockSize, index);
      if (owns(id)) {
        fileOfBlock_.push_back(static_cast<std::uint32_t>(files_.size() - 1));
        blocks_.push_back({.id = id,
                           .offset = totalBytes_ + static_cast<double>(index * blockSize),
                           .nextUse = now + windowSeconds_,
                           .scored = std::numeric_limits<double>::quiet_NaN()});
      }
    }
    totalBytes_ += static_cast<double>(file.size);
  }
  listed_ = true;
  stale_ = true;

  std::vector<std::pair<BlockId, std::uint32_t>> positions;
  if (!old.empty()) {
    for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
      positions.emplace_back(blocks_[i].id, i);
    }
    std::ranges::sort(positions);
  }
  for (const auto& reader : readers_) {
    const PlanReader before = *reader;
    reader->progress = ReadProgress();
    reader->forecast = ReadForecast();
    arrange(*reader);
    for (std::uint32_t i = 0; i < old.size(); ++i) {
      if (before.has(i)) {
        const auto place =
            std::ranges::lower_bound(positions, old[i].id, {}, &std::pair<BlockId, std::uint32_t>::first);
        if (place != positions.end() && place->first == old[i].id) {
          reader->progress.mark(reader->rankOf(place->second));
        }
      }
    }
  }
}

std::uint32_t PlanPartition::append(const BlockId& id, double bytes, double now) {
  const auto position = static_cast<std::uint32_t>(blocks_.size());
  fileOfBlock_.push_back(static_cast<std::uint32_t>(files_.size()));
  files_.push_back({totalBytes_, bytes});
  blocks_.push_back({.id = id,
                     .offset = totalBytes_,
                     .nextUse = now + windowSeconds_,
                     .scored = std::numeric_limits<double>::quiet_NaN()});
  totalBytes_ += bytes;
  for (const auto& reader : readers_) {
    if (!reader->ranks.empty()) {
      reader->ranks.push_back(position);
      reader->offsets.push_back(blocks_.back().offset);
    }
    reader->progress.resize(position + 1);
  }
  return position;
}

PlanReader& PlanPartition::addReader(bool bySpec, const JobSpec* spec, double now) {
  readers_.push_back(std::make_unique<PlanReader>());
  PlanReader& reader = *readers_.back();
  reader.bySpec = bySpec;
  if (spec != nullptr) {
    reader.order = spec->order;
    reader.seed = spec->seed;
    reader.passes = spec->epochs;
  }
  arrange(reader);
  if (!bySpec) {
    unannouncedArrivals_.push_back(now);
  }
  stale_ = true;
  lastUse_ = std::max(lastUse_, now);
  return reader;
}

void PlanPartition::removeReader(const PlanReader& reader) {
  std::erase_if(readers_, [&](const auto& held) { return held.get() == &reader; });
  stale_ = true;
}

void PlanPartition::arrange(PlanReader& reader) const {
  reader.progress.resize(size());
  reader.ranks.clear();
  reader.offsets.clear();
  if (reader.order != ReadOrder::kSeeded || blocks_.empty()) {
    return;
  }
  std::vector<double> starts(files_.size());
  double at = 0;
  for (const std::uint32_t file : shuffledFiles(reader.seed, static_cast<std::uint32_t>(files_.size()))) {
    starts[file] = at;
    at += files_[file].size;
  }
  for (std::uint32_t i = 0; i < size(); ++i) {
    const std::uint32_t file = fileOfBlock_[i];
    reader.offsets.push_back(starts[file] + blocks_[i].offset - files_[file].start);
  }
  std::vector<std::uint32_t> byOffset(size());
  for (std::uint32_t i = 0; i < size(); ++i) {
    byOffset[i] = i;
  }
  std::ranges::sort(byOffset, {}, [&](std::uint32_t i) { return reader.offsets[i]; });
  reader.ranks.resize(size());
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    reader.ranks[byOffset[rank]] = rank;
  }
}

bool PlanPartition::read(PlanReader& reader, std::uint32_t position, double now) {
  lastUse_ = std::max(lastUse_, now);
  arrivals_ += reader.progress.lastRead() == 0 ? 1 : 0;
  if (!reader.isLastPass() && reader.progress.isNextPass(reader.rankOf(position))) {
    ++reader.pass;
    reader.finished = false;
    reader.progress.beginPass();
    reader.forecast = std::exchange(reader.again, {});
    stale_ = true;
  }
  if (!reader.progress.add(reader.rankOf(position), offsetFor(reader, position), now)) {
    return false;
  }
  const double before = blocks_[position].nextUse;
  plan(position, now);
  return blocks_[position].nextUse != before;
}

bool PlanPartition::isStale(double now) const {
  const double interval = readers_.empty() ? windowSeconds_ / 8 : kScoreAtLeastEvery;
  return stale_ || now - scoredAt_ >= interval;
}

void PlanPartition::beginScoring(double now) {
  std::erase_if(unannouncedArrivals_, [&](double time) { return now - time > windowSeconds_; });
  stale_ = false;
  scoredAt_ = now;
}

void PlanPartition::score(std::uint32_t from, std::uint32_t count, double now,
                          const std::function<void(const Block&)>& changed) {
  const std::uint32_t end = std::min(size(), from + count);
  for (std::uint32_t position = from; position < end; ++position) {
    plan(position, now);
    Block& block = blocks_[position];
    const double tolerance = std::max(1.0, kOrderTolerance * (block.nextUse - now));
    if (!(std::abs(block.nextUse - block.scored) <= tolerance)) {  // so that a block never scored counts
      block.scored = block.nextUse;
      changed(block);
    }
  }
}

void PlanPartition::plan(std::uint32_t position, double now) {
  Block& block = blocks_[position];
  double soonest = kNever;
  double chance = 0;  // per second, that a reader in no known order comes by
  std::uint32_t uses = 0;
  for (const auto& reader : readers_) {
    const auto [time, isSpread] = nextUseBy(*reader, position);
    if (time == kNever) {
      continue;
    }
    ++uses;
    if (isSpread) {
      chance += 1 / std::max(1.0, time - now);
    } else {
      soonest = std::min(soonest, time);
    }
  }
  if (chance > 0) {
    soonest = std::min(soonest, now + 1 / chance);
  }
  const double arrivals = arrivalRate(now);
  if (arrivals > 0) {
    soonest = std::min(soonest, now + 1 / arrivals);
  }
  block.known = soonest != kNever;
  // Nobody is known to come. What several jobs have read is then more likely to be read again.
  block.nextUse = block.known ? soonest : now + windowSeconds_ / (1 + arrivals_);
  block.uses = static_cast<std::uint16_t>(std::min<std::uint32_t>(uses, 65535));
}

std::pair<double, bool> PlanPartition::nextUseBy(const PlanReader& reader, std::uint32_t position) const {
  const double offset = offsetFor(reader, position);
  if (!reader.finished && !reader.has(position)) {
    if (const double time = reader.forecast.at(offset); time != kNever) {
      return {time, reader.forecast.isSpread()};
    }
  }
  return {reader.again.at(offset), reader.again.isSpread()};
}

double PlanPartition::arrivalRate(double now) const {
  if (unannouncedArrivals_.size() < 2) {
    return 0;
  }
  return static_cast<double>(unannouncedArrivals_.size() - 1) /
         (now - unannouncedArrivals_.front() + kArrivalGrace);
}

double PlanPartition::offsetFor(const PlanReader& reader, std::uint32_t position) const {
  return reader.offsets.empty() ? blocks_[position].offset : reader.offsets[position];
}

}  // namespace shift::control
