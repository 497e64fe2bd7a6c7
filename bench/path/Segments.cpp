#include <chrono>
#include <filesystem>
#include <numeric>
#include <random>
#include <stdexcept>

#include "backing-store/DirectoryStore.h"
#include "bench/path/Daemon.h"
#include "bench/path/Load.h"
#include "bench/path/Parts.h"
#include "bench/path/ShiftNode.h"
#include "client-lib/Exchange.h"
#include "common/ByteSize.h"
#include "tools/dataset/RandomFile.h"

namespace shift::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCounts[] = {1'000, 10'000, 100'000, 1'000'000};
/** A file is one short segment, so that their number grows and not the memory they take. */
constexpr std::size_t kFileBytes = kKiB;
constexpr std::size_t kFilesPerDirectory = 1000;
constexpr std::size_t kFilesPerBatch = 256;
constexpr double kGrowth = 1.2;

std::string pathOf(std::size_t file) {
  return std::to_string(file / kFilesPerDirectory) + "/" + std::to_string(file % kFilesPerDirectory);
}

/** One file's content for each directory, under a thousand names: to the tier they are a thousand files. */
void writeFiles(const std::string& root, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::string path = root + "/" + pathOf(i);
    if (i % kFilesPerDirectory != 0) {
      fs::create_hard_link(root + "/" + pathOf(i - i % kFilesPerDirectory), path);
    } else if (const Status written = tools::writeRandomFile(path, kFileBytes, i); !written) {
      throw std::runtime_error(written.error().message);
    }
  }
}

/**
 * A node that holds so many files, and one connection to it. What is read is named as the client library
 * names it, without the files being open: a process may not have a million.
 */
class ManySegments {
 public:
  ManySegments(const PathOptions& options, const std::string& root, std::size_t count)
      : count_(count),
        versions_(versionsOf(root, count)),
        node_(options.binaries, options.directory + "/shift-" + std::to_string(count), root,
              {"cache.dram=16GiB"}),
        connection_(node_.address(), {}, std::chrono::seconds(5), clock_) {
    for (std::size_t begin = 0; begin < count; begin += kFilesPerBatch) {
      std::vector<std::size_t> batch(std::min(kFilesPerBatch, count - begin));
      std::iota(batch.begin(), batch.end(), begin);
      get(batch);
    }
  }

  /** Gets files at random for so long; microseconds of processor time, of both sides, for each. */
  double cpuOfAGet(double seconds) {
    const double before = cpu();
    const TimePoint end =
        clock_.now() + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
    std::size_t gets = 0;
    for (; clock_.now() < end; ++gets) {
      const std::size_t file = random_() % count_;
      get({&file, 1});
    }
    return (cpu() - before) / static_cast<double>(gets) * 1e6;
  }

 private:
  static std::vector<std::string> versionsOf(const std::string& root, std::size_t count) {
    const auto store = store::DirectoryStore::open(ShiftNode::kStoreName, root);
    std::vector<std::string> versions;
    for (std::size_t i = 0; store && i < count; i += kFilesPerDirectory) {
      const auto info = (*store)->stat(pathOf(i));
      versions.push_back(info ? info->version : "");
    }
    return versions;
  }

  void get(std::span<const std::size_t> files) {
    std::vector<client::OpenFile> open(files.size());
    std::vector<client::GetTask> tasks(files.size());
    client::Exchange exchange(connection_, options_, clock_);
    buffer_.resize(files.size() * kFileBytes);
    for (std::size_t i = 0; i < files.size(); ++i) {
      open[i].identity = {.store = ShiftNode::kStoreName,
                          .path = pathOf(files[i]),
                          .version = versions_[files[i] / kFilesPerDirectory],
                          .size = kFileBytes,
                          .blockSize = kDefaultBlockSize};
      tasks[i].file = &open[i];
      tasks[i].get = client::planRead(open[i].identity, 0, kFileBytes, kFileBytes, noRing_).front();
      tasks[i].into = std::span(buffer_).subspan(i * kFileBytes, kFileBytes);
      exchange.add(tasks[i]);
    }
    exchange.begin();
    exchange.finish();
    for (const client::GetTask& task : tasks) {
      if (task.outcome != client::GetTask::Outcome::kHit) {
        throw std::runtime_error("the node does not give " + task.file->identity.path);
      }
    }
  }

  double cpu() const { return ownCpuSeconds() + node_.cpuSeconds(); }

  const SystemClock clock_;
  const std::size_t count_;
  const std::vector<std::string> versions_;  // one for each directory: its files are links to one
  const ShiftNode node_;
  const ring::Ring noRing_{{}};
  const client::ExchangeOptions options_{.getDeadline = std::chrono::minutes(1)};
  client::NodeClient connection_;
  std::vector<std::byte> buffer_;
  std::mt19937_64 random_{1};
};

}  // namespace

void measureSegments(BenchReport& report, const PathOptions& options) {
  const std::string root = options.directory + "/store";
  writeFiles(root, kCounts[std::size(kCounts) - 1]);
  std::vector<std::unique_ptr<ManySegments>> rigs;
  for (const std::size_t count : kCounts) {
    rigs.push_back(std::make_unique<ManySegments>(options, root, count));
  }
  std::vector<std::vector<double>> costs(rigs.size());
  interleave(options.rounds, rigs.size(),
             [&](std::size_t i) { costs[i].push_back(rigs[i]->cpuOfAGet(options.seconds)); });
  for (std::size_t i = 1; i < rigs.size(); ++i) {
    report.compare(std::to_string(kCounts[i]) + " segments: CPU of a get", "us", costs[i],
                   std::to_string(kCounts[0]) + " segments", costs[0], Goal::atMost(kGrowth));
  }
}

}  // namespace shift::bench
