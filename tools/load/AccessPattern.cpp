#include "tools/load/AccessPattern.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tools/load/Zipf.h"

namespace shift::load {
namespace {

/** Columns from `first` up to but without `last`. */
struct ColumnRun {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/** The columns that a job selects, neighbours joined. At least one. */
std::vector<ColumnRun> selectColumns(const PatternConfig& config, std::uint32_t job) {
  std::vector<std::uint32_t> columns(config.columns);
  std::iota(columns.begin(), columns.end(), 0);
  const auto wanted = static_cast<std::uint32_t>(std::lround(config.selected * config.columns));
  const std::uint32_t count = std::clamp(wanted, 1u, config.columns);
  Draw draw(control::mixHash(config.seed, job));
  for (std::uint32_t i = 0; i < count; ++i) {  // the beginning of a shuffle
    std::swap(columns[i], columns[i + draw.below(config.columns - i)]);
  }
  std::sort(columns.begin(), columns.begin() + count);
  std::vector<ColumnRun> runs;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (runs.empty() || runs.back().last != columns[i]) {
      runs.push_back({columns[i], columns[i]});
    }
    ++runs.back().last;
  }
  return runs;
}

/** Unit after unit, of each unit run after run, of each run read after read. */
class Scan final : public AccessPattern {
 public:
  Scan(const PatternConfig& config, const std::vector<DataFile>& files, const ReaderPlace& place,
       std::uint64_t unitBytes, std::uint32_t columns, std::vector<ColumnRun> runs)
      : sizes_(config.readSizes),
        units_(files, unitBytes),
        columns_(columns),
        runs_(std::move(runs)),
        firstUnit_(units_.count() * place.reader / place.readers),
        lastUnit_(units_.count() * (place.reader + 1) / place.readers),
        passesLeft_(config.passes == 0 ? std::numeric_limits<std::uint64_t>::max() : config.passes),
        draw_(control::mixHash(config.seed, place.job * std::uint64_t{place.readers} + place.reader)),
        unit_(firstUnit_) {}

  std::optional<ReadRange> next() override {
    if (firstUnit_ == lastUnit_) {
      return std::nullopt;
    }
    while (passesLeft_ > 0) {
      const ReadRange unit = units_.at(unit_);
      const std::uint64_t begin = unit.length * runs_[run_].first / columns_;
      const std::uint64_t end = unit.length * runs_[run_].last / columns_;
      const std::uint64_t at = begin + done_;
      if (at < end) {
        const std::uint64_t length = std::min(sizes_.pick(draw_), end - at);
        done_ += length;
        return ReadRange{unit.file, unit.offset + at, length};
      }
      turnToNextRun();
    }
    return std::nullopt;
  }

 private:
  void turnToNextRun() {
    done_ = 0;
    if (++run_ < runs_.size()) {
      return;
    }
    run_ = 0;
    if (++unit_ == lastUnit_) {
      unit_ = firstUnit_;
      --passesLeft_;
    }
  }

  const ReadSizes sizes_;
  const Pieces units_;
  const std::uint32_t columns_;
  const std::vector<ColumnRun> runs_;
  const std::uint64_t firstUnit_;
  const std::uint64_t lastUnit_;
  std::uint64_t passesLeft_;
  Draw draw_;
  std::uint64_t unit_;
  std::size_t run_ = 0;
  std::uint64_t done_ = 0;  // bytes of the present run
};

/** Anywhere. Each read follows from its number alone. */
class Jumps final : public AccessPattern {
 public:
  Jumps(const PatternConfig& config, const std::vector<DataFile>& files, const ReaderPlace& place)
      : sizes_(config.readSizes),
        items_(files, sizes_.largest()),
        zipf_(items_.count(), config.kind == PatternKind::kZipf ? config.zipfExponent : 0),
        places_(items_.count(), config.seed),
        seed_(control::mixHash(control::mixHash(config.seed, place.job), place.reader)) {}

  std::optional<ReadRange> next() override {
    Draw draw(control::mixHash(seed_, index_++));
    const ReadRange item = items_.at(places_.at(zipf_.rank(draw)));
    const std::uint64_t size = std::min(sizes_.pick(draw), item.length);
    const std::uint64_t slot = draw.below(item.length / size);
    return ReadRange{item.file, item.offset + slot * size, size};
  }

 private:
  const ReadSizes sizes_;
  const Pieces items_;
  const Zipf zipf_;
  const Permutation places_;
  const std::uint64_t seed_;
  std::uint64_t index_ = 0;
};

}  // namespace

std::unique_ptr<AccessPattern> makePattern(const PatternConfig& config, const std::vector<DataFile>& files,
                                           const ReaderPlace& place) {
  switch (config.kind) {
    case PatternKind::kRandom:
    case PatternKind::kZipf:
      return std::make_unique<Jumps>(config, files, place);
    case PatternKind::kColumns:
      return std::make_unique<Scan>(config, files, place, config.rowGroupBytes, config.columns,
                                    selectColumns(config, place.job));
    case PatternKind::kSequential:
      break;
  }
  return std::make_unique<Scan>(config, files, place, config.readSizes.largest(), 1,
                                std::vector<ColumnRun>{{0, 1}});
}

}  // namespace shift::load
