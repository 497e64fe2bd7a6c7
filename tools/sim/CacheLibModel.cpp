#include "tools/sim/CacheLibModel.h"

#include <algorithm>

#include "blocks/Geometry.h"

namespace shift::sim {

namespace {

constexpr std::uint64_t kRegionBytes = 16 * kMiB;
constexpr std::uint32_t kNone = ~0U;
/** How often the random admission looks at what was offered and written. */
constexpr double kAdmissionPeriod = 60;

class Model {
 public:
  Model(const Trace& trace, const CacheLibConfig& config)
      : trace_(trace),
        config_(config),
        perBlock_(trace.segmentsPerBlock()),
        segments_(trace.blocks.size() * perBlock_),
        random_(config.seed) {
    const auto regionBytes = std::max<std::uint64_t>(
        trace.segmentSize, static_cast<std::uint64_t>(static_cast<double>(kRegionBytes) * trace.scale));
    regionBytes_ = regionBytes;
    regions_.resize(std::max<std::uint64_t>(2, trace.flashBytes / regionBytes));
    for (std::uint32_t i = 1; i < regions_.size(); ++i) {
      free_.push_back(i);
    }
  }

  Outcome run(const Meter& meter) {
    outcome_.countFrom = trace_.warmUpSeconds;
    outcome_.seconds = trace_.seconds - trace_.warmUpSeconds;
    playEvents(trace_, meter, [this](const TraceEvent& event) { read(event); });
    return outcome_;
  }

 private:
  struct Segment {
    std::uint32_t region = kNone;
    std::uint32_t colder = kNone;  // in DRAM's list
    std::uint32_t warmer = kNone;
    bool inDram = false;
    bool offered = false;  // to flash, at some time
  };
  struct Region {
    std::vector<std::uint32_t> segments;
    std::uint64_t bytes = 0;
    std::list<std::uint32_t>::iterator place;  // in order_
  };

  void read(const TraceEvent& event) {
    now_ = event.time;
    Served served{.time = event.time, .length = event.length};
    if (!config_.eligible.empty() && !config_.eligible[event.block]) {
      outcome_.add(served);
      return;
    }
    served.hit = true;
    served.servedBytes = event.length;
    const std::uint32_t first = event.offset / trace_.segmentSize;
    const std::uint32_t last = (event.offset + event.length - 1) / trace_.segmentSize;
    for (std::uint32_t segment = first; segment <= last; ++segment) {
      const std::uint32_t id = event.block * perBlock_ + segment;
      if (segments_[id].inDram) {
        unlink(id);
        append(id);
        continue;
      }
      if (segments_[id].region != kNone) {
        touchRegion(segments_[id].region);
      } else {
        served.hit = false;
        served.filledBytes += bytesOfSegment(event, segment, trace_.segmentSize);
        served.fetchedBytes += bytesOf(id);
      }
      insertIntoDram(id);
    }
    outcome_.add(served);
  }

  std::uint32_t bytesOf(std::uint32_t id) const {
    return segmentLength(trace_.blockSize, id % perBlock_, trace_.segmentSize);
  }

  void insertIntoDram(std::uint32_t id) {
    segments_[id].inDram = true;
    append(id);
    dramBytes_ += bytesOf(id);
    while (dramBytes_ > trace_.dramBytes) {
      const std::uint32_t victim = coldest_;
      unlink(victim);
      segments_[victim].inDram = false;
      dramBytes_ -= bytesOf(victim);
      if (segments_[victim].region == kNone && admits(victim)) {
        writeToFlash(victim);
      }
    }
  }

  bool admits(std::uint32_t id) {
    switch (config_.admission) {
      case FlashAdmission::kAll:
        return true;
      case FlashAdmission::kRejectFirst:
        return std::exchange(segments_[id].offered, true);
      case FlashAdmission::kDynamic:
        return admitsAtRandom(id);
    }
    return false;
  }

  bool admitsAtRandom(std::uint32_t id) {
    offeredBytes_ += bytesOf(id);
    if (now_ - periodBegan_ >= kAdmissionPeriod) {
      const double offeredRate = static_cast<double>(offeredBytes_) / (now_ - periodBegan_);
      probability_ = std::min(1.0, config_.bytesPerSecond / std::max(1.0, offeredRate));
      periodBegan_ = now_;
      offeredBytes_ = 0;
    }
    return std::uniform_real_distribution<double>(0, 1)(random_) < probability_;
  }

  void writeToFlash(std::uint32_t id) {
    if (regions_[open_].bytes + bytesOf(id) > regionBytes_) {
      order_.push_back(open_);
      regions_[open_].place = std::prev(order_.end());
      if (free_.empty()) {
        giveUpRegion();
      }
      open_ = free_.back();
      free_.pop_back();
    }
    regions_[open_].segments.push_back(id);
    regions_[open_].bytes += bytesOf(id);
    segments_[id].region = open_;
    outcome_.addWrite(now_, bytesOf(id));
  }

  void giveUpRegion() {
    const std::uint32_t victim = order_.front();
    order_.pop_front();
    for (const std::uint32_t id : regions_[victim].segments) {
      segments_[id].region = kNone;
    }
    regions_[victim].segments.clear();
    regions_[victim].bytes = 0;
    free_.push_back(victim);
  }

  void touchRegion(std::uint32_t region) {
    if (config_.order == FlashOrder::kLru && region != open_) {
      order_.splice(order_.end(), order_, regions_[region].place);
    }
  }

  void append(std::uint32_t id) {
    segments_[id].colder = warmest_;
    segments_[id].warmer = kNone;
    if (warmest_ == kNone) {
      coldest_ = id;
    } else {
      segments_[warmest_].warmer = id;
    }
    warmest_ = id;
  }

  void unlink(std::uint32_t id) {
    const Segment& segment = segments_[id];
    (segment.colder == kNone ? coldest_ : segments_[segment.colder].warmer) = segment.warmer;
    (segment.warmer == kNone ? warmest_ : segments_[segment.warmer].colder) = segment.colder;
  }

  const Trace& trace_;
  const CacheLibConfig config_;
  const std::uint32_t perBlock_;
  std::vector<Segment> segments_;
  std::vector<Region> regions_;
  std::vector<std::uint32_t> free_;
  std::list<std::uint32_t> order_;  // full regions, the next to be given up first
  std::uint64_t regionBytes_ = 0;
  std::uint32_t open_ = 0;
  std::uint32_t coldest_ = kNone;
  std::uint32_t warmest_ = kNone;
  std::uint64_t dramBytes_ = 0;
  std::mt19937_64 random_;
  double now_ = 0;
  double periodBegan_ = 0;
  std::uint64_t offeredBytes_ = 0;
  double probability_ = 1;
  Outcome outcome_;
};

}  // namespace

Outcome runCacheLib(const Trace& trace, const CacheLibConfig& config, const Meter& meter) {
  return Model(trace, config).run(meter);
}

}  // namespace shift::sim
