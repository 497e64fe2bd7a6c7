#include "tools/sim/Trace.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "blocks/Geometry.h"

namespace shift::sim {

namespace {

constexpr double kDriftStep = 10;  // seconds for which a rate is constant
constexpr std::uint32_t kBlocksPerFile = 20;
constexpr std::uint64_t kRequestBytes = kMiB;  // readers coalesce what they need into reads of about 1 MB

/** A deviation that wanders about zero: autoregressive, with the given spread and memory. */
class Drift {
 public:
  Drift(double spread, double memorySeconds, std::mt19937_64& random)
      : spread_(spread), keep_(std::exp(-kDriftStep / memorySeconds)), random_(random) {
    value_ = spread_ * normal_(random_);
  }
  double at(double time) {
    while (step_ * kDriftStep < time) {
      value_ = keep_ * value_ + std::sqrt(1 - keep_ * keep_) * spread_ * normal_(random_);
      ++step_;
    }
    return value_;
  }

 private:
  double spread_;
  double keep_;
  double value_ = 0;
  double step_ = 1;
  std::mt19937_64& random_;
  std::normal_distribution<double> normal_;
};

/** The blocks of a partition, other nodes' included: index into Trace::blocks, or none. */
struct Layout {
  static constexpr std::uint32_t kElsewhere = ~0U;
  std::vector<std::uint32_t> blockAt;
  std::uint32_t files = 0;
};

/** Within a block. */
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};
/** What a job reads of each block of a file, by the number of blocks that the file has. */
using Selections = std::map<std::uint32_t, std::vector<std::vector<Range>>>;

std::string paddedNumber(std::uint32_t number) {
  std::string digits = std::to_string(number);
  return std::string(6 - std::min<std::size_t>(6, digits.size()), '0') + digits;
}

class Generator {
 public:
  Generator(const Workload& workload, const TraceOptions& options) : workload_(workload), options_(options) {
    const auto shrunk = [&](double bytes) { return static_cast<std::uint64_t>(bytes * options.scale); };
    trace_.segmentSize = options.segmentSize;
    trace_.blockSize = options.shrinkBlocks
                           ? std::max<std::uint64_t>(64 * kKiB, shrunk(kDefaultBlockSize) / 4096 * 4096)
                           : kDefaultBlockSize;
    trace_.nodes = workload.nodes;
    trace_.flashBytes = shrunk(workload.flashBytes / workload.nodes);
    trace_.dramBytes = shrunk(workload.dramBytesPerNode);
    trace_.scale = options.scale;
    trace_.warmUpSeconds = workload.warmUpSeconds;
  }

  Trace run() {
    for (const WorkloadPartition& partition : workload_.partitions) {
      addPartition(partition);
    }
    double batchBegins = 0;
    for (std::uint32_t batch = 0;; ++batch) {
      double batchEnds = batchBegins;
      bool any = false;
      for (const WorkloadJob& job : workload_.jobs) {
        if (job.batch == batch) {
          batchEnds = std::max(batchEnds, addJob(job, batchBegins));
          any = true;
        }
      }
      if (!any) {
        break;
      }
      batchBegins = batchEnds;
    }
    std::ranges::stable_sort(trace_.events, {}, &TraceEvent::time);
    trace_.seconds = std::min(batchBegins, workload_.endsAfter);
    return std::move(trace_);
  }

 private:
  void addPartition(const WorkloadPartition& described) {
    const std::string& path = described.path;
    const auto bytes = static_cast<std::uint64_t>(described.bytes * options_.scale);
    const auto blocks = std::max(1U, static_cast<std::uint32_t>(bytes / trace_.blockSize));
    TracePartition partition{.directory = "warehouse:" + path, .files = {}};
    Layout layout;
    layout.files = (blocks + kBlocksPerFile - 1) / kBlocksPerFile;
    for (std::uint32_t file = 0; file < layout.files; ++file) {
      const std::uint32_t count = std::min(kBlocksPerFile, blocks - file * kBlocksPerFile);
      const control::ListedFile listed{
          .path = path + "/part-" + paddedNumber(file), .version = "1", .size = count * trace_.blockSize};
      for (std::uint32_t index = 0; index < count; ++index) {
        const BlockId id = blockIdOf("warehouse", listed.path, listed.version, trace_.blockSize, index);
        const bool owned = ownedByFirst(id, workload_.nodes);
        layout.blockAt.push_back(owned ? static_cast<std::uint32_t>(trace_.blocks.size())
                                       : Layout::kElsewhere);
        if (owned) {
          trace_.blocks.push_back({.store = "warehouse",
                                   .path = listed.path,
                                   .version = listed.version,
                                   .job = {},
                                   .fileSize = listed.size,
                                   .blockSize = trace_.blockSize,
                                   .blockIndex = index,
                                   .block = id});
        }
      }
      partition.files.push_back(listed);
    }
    trace_.partitions.push_back(std::move(partition));
    layouts_.push_back(std::move(layout));
  }

  /** Returns when the job ends. */
  double addJob(const WorkloadJob& job, double batchBegins) {
    // Seeded by the job's name, so that it behaves the same wherever it stands in the workload.
    std::seed_seq seeds{options_.seed, std::hash<std::string>{}(job.name)};
    std::mt19937_64 random(seeds);
    std::normal_distribution<double> normal;
    const double jobFactor = std::exp(options_.skew.jobSpread * normal(random));
    const double delay = options_.skew.startSpread * std::uniform_real_distribution<double>(0, 1)(random);
    Drift jobDrift(options_.skew.drift, options_.skew.driftSeconds, random);

    TraceJob traced;
    traced.name = job.name;
    const double begins = batchBegins + job.startAfter + delay;
    traced.begins = std::max(0.0, begins);
    traced.announced = job.announced;
    traced.spec.job = job.name;
    traced.spec.order = job.announcedOrder;
    const std::uint64_t shuffleSeed = random();
    traced.spec.seed = job.announcedOrder == control::ReadOrder::kSeeded ? shuffleSeed : 0;
    for (const std::uint32_t partition :
         job.announcedPartitions.empty() ? job.partitions : job.announcedPartitions) {
      traced.spec.partitions.push_back(trace_.partitions[partition].directory);
    }
    const auto jobIndex = static_cast<std::uint32_t>(trace_.jobs.size());

    struct Reader {
      double time = 0;
      Drift drift;
    };
    std::vector<Reader> readers;
    for (std::uint32_t i = 0; i < workload_.readersPerJob; ++i) {
      readers.push_back({begins, Drift(options_.skew.readerDrift, options_.skew.driftSeconds, random)});
    }
    std::uint64_t total = 0;
    for (const std::uint32_t partition : job.partitions) {
      total += layouts_[partition].blockAt.size();
    }
    const auto stopAfter = static_cast<std::uint64_t>(job.stopsAfter * static_cast<double>(total));
    std::uint64_t done = 0;
    Selections selections;

    const auto readBlock = [&](Reader& reader, const Layout& layout, std::uint32_t at) {
      if (job.pauseSeconds > 0 && done == total / 2) {
        for (Reader& each : readers) {
          each.time += job.pauseSeconds;
        }
      }
      const double step = done >= total / 2 ? job.rateStep : 1;
      const double rate = workload_.readerBytesPerSecond * options_.scale * job.rate * jobFactor * step *
                          std::exp(jobDrift.at(reader.time - begins) + reader.drift.at(reader.time - begins));
      const std::vector<Range>& ranges = rangesOf(job, layout, at, selections);
      if (layout.blockAt[at] != Layout::kElsewhere && reader.time >= 0 && reader.time < workload_.endsAfter) {
        addRequests(reader.time, layout.blockAt[at], jobIndex, ranges);
      }
      for (const Range& range : ranges) {
        reader.time += static_cast<double>(range.end - range.begin) / rate;
      }
      ++done;
    };

    for (const std::uint32_t partition : job.partitions) {
      const Layout& layout = layouts_[partition];
      std::vector<std::vector<std::uint32_t>> work = divide(job, layout, shuffleSeed, random);
      std::vector<std::size_t> next(readers.size(), 0);
      std::size_t queue = 0;  // kQueue and kShuffled: the next file, whoever is free first
      std::vector<std::vector<std::uint32_t>> taken(readers.size());
      for (;;) {
        // Always the reader that is furthest behind, so that drift and pauses act at the right time.
        std::size_t chosen = readers.size();
        for (std::size_t i = 0; i < readers.size(); ++i) {
          const bool hasWork = job.splitting == Splitting::kContiguous
                                   ? next[i] < work[i].size()
                                   : next[i] < taken[i].size() || queue < work.size();
          if (hasWork && (chosen == readers.size() || readers[i].time < readers[chosen].time)) {
            chosen = i;
          }
        }
        if (chosen == readers.size() || done >= stopAfter || readers[chosen].time >= workload_.endsAfter) {
          break;
        }
        std::vector<std::uint32_t>& list =
            job.splitting == Splitting::kContiguous ? work[chosen] : taken[chosen];
        if (next[chosen] >= list.size()) {
          list = work[queue++];
          next[chosen] = 0;
          if (list.empty()) {
            continue;
          }
        }
        readBlock(readers[chosen], layout, list[next[chosen]++]);
      }
    }
    traced.ends = std::ranges::max_element(readers, {}, &Reader::time)->time;
    if (traced.ends > 0) {
      trace_.jobs.push_back(traced);
    }
    return traced.ends;
  }

  /** Per reader the places in the layout that it reads (kContiguous), or per file its places, in the order in
   * which files are taken. */
  std::vector<std::vector<std::uint32_t>> divide(const WorkloadJob& job, const Layout& layout,
                                                 std::uint64_t shuffleSeed, std::mt19937_64& random) const {
    std::vector<bool> left(layout.files, true);
    for (std::uint32_t file = 0; file < layout.files; ++file) {
      left[file] = job.skips == 0 || std::uniform_real_distribution<double>(0, 1)(random) >= job.skips;
    }
    std::vector<std::vector<std::uint32_t>> work;
    if (job.splitting == Splitting::kContiguous) {
      const std::size_t blocks = layout.blockAt.size();
      for (std::uint32_t i = 0; i < workload_.readersPerJob; ++i) {
        std::vector<std::uint32_t>& part = work.emplace_back();
        for (std::size_t at = blocks * i / workload_.readersPerJob;
             at < blocks * (i + 1) / workload_.readersPerJob; ++at) {
          if (left[at / kBlocksPerFile]) {
            part.push_back(static_cast<std::uint32_t>(at));
          }
        }
      }
      return work;
    }
    std::vector<std::uint32_t> order(layout.files);
    std::iota(order.begin(), order.end(), 0U);
    if (job.splitting == Splitting::kShuffled) {
      order = control::shuffledFiles(shuffleSeed, layout.files);
    }
    for (const std::uint32_t file : order) {
      if (left[file]) {
        const std::size_t begin = std::size_t{file} * kBlocksPerFile;
        const std::size_t end = std::min(begin + kBlocksPerFile, layout.blockAt.size());
        std::vector<std::uint32_t>& places = work.emplace_back(end - begin);
        std::iota(places.begin(), places.end(), static_cast<std::uint32_t>(begin));
      }
    }
    return work;
  }

  /** What the job reads of the block at this place of the layout. */
  const std::vector<Range>& rangesOf(const WorkloadJob& job, const Layout& layout, std::uint32_t at,
                                     Selections& selections) const {
    const auto fileBegins = at / kBlocksPerFile * kBlocksPerFile;
    const auto blocks = std::min<std::uint32_t>(
        kBlocksPerFile, static_cast<std::uint32_t>(layout.blockAt.size()) - fileBegins);
    std::vector<std::vector<Range>>& perBlock = selections[blocks];
    if (perBlock.empty()) {
      perBlock = select(job, blocks);
    }
    return perBlock[at - fileBegins];
  }

  /** The same for all blocks of a file of so many. */
  std::vector<std::vector<Range>> select(const WorkloadJob& job, std::uint32_t blocks) const {
    const std::uint64_t blockSize = trace_.blockSize;
    std::vector<std::vector<Range>> perBlock(blocks);
    if (job.features.empty()) {
      const auto wanted = static_cast<std::uint64_t>(static_cast<double>(blockSize) * job.columns);
      std::ranges::fill(perBlock, std::vector<Range>{{0, std::max<std::uint64_t>(1, wanted)}});
      return perBlock;
    }
    const std::uint64_t fileSize = blocks * blockSize;
    for (std::size_t feature = 0; feature < job.features.size(); ++feature) {
      if (!job.features[feature]) {
        continue;
      }
      const std::uint64_t end = fileSize * (feature + 1) / job.features.size();
      for (std::uint64_t begin = fileSize * feature / job.features.size(); begin < end;) {
        const std::uint64_t block = begin / blockSize;
        const std::uint64_t until = std::min(end, (block + 1) * blockSize);
        std::vector<Range>& ranges = perBlock[block];
        if (!ranges.empty() && ranges.back().end == begin - block * blockSize) {
          ranges.back().end = until - block * blockSize;  // neighbours are read as one
        } else {
          ranges.push_back({begin - block * blockSize, until - block * blockSize});
        }
        begin = until;
      }
    }
    return perBlock;
  }

  void addRequests(double time, std::uint32_t block, std::uint32_t job, const std::vector<Range>& ranges) {
    for (const Range& range : ranges) {
      for (std::uint64_t at = range.begin; at < range.end;) {
        const std::uint64_t left = range.end - at;
        // A short rest goes with the last request, as a reader would coalesce it.
        const std::uint64_t length = left < kRequestBytes * 3 / 2 ? left : kRequestBytes;
        trace_.events.push_back(
            {time, block, job, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(length)});
        at += length;
      }
    }
  }

  const Workload& workload_;
  const TraceOptions& options_;
  Trace trace_;
  std::vector<Layout> layouts_;
};

}  // namespace

bool ownedByFirst(const BlockId& block, std::uint32_t nodes) {
  return block.high % nodes == 0;
}

Trace generate(const Workload& workload, const TraceOptions& options) {
  return Generator(workload, options).run();
}

}  // namespace shift::sim
