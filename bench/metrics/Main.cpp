// What it costs a node to be watched: hits from memory with and without somebody who scrapes its metrics.

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <stdexcept>
#include <thread>

#include "bench/metrics/Scraper.h"
#include "bench/report/BenchReport.h"
#include "client-lib/Client.h"
#include "common/ByteSize.h"
#include "common/TemporaryDirectory.h"
#include "tools/cluster/LocalCluster.h"

namespace shift::bench {
namespace {

/** More buckets and jobs than have series of their own: a page can be no longer. */
constexpr std::size_t kFiles = 256;
constexpr std::size_t kReadBytes = 256 * kKiB;
constexpr int kReaders = 4;

struct Options {
  double seconds = 1;
  int rounds = 31;  // many and short: other processes of the machine come and go in seconds
};

/** What one turn gave. */
struct Turn {
  double throughput = 0;  // MiB a second, of all readers together
  double nodeCpu = 0;     // milliseconds of the node's CPU time a GiB
};

/** All turns of one kind. */
struct Turns {
  void add(const Turn& turn) {
    throughput.push_back(turn.throughput);
    nodeCpu.push_back(turn.nodeCpu);
  }
  std::vector<double> throughput;
  std::vector<double> nodeCpu;
};

[[noreturn]] void fail(const std::string& why) {
  throw std::runtime_error(why);
}

/** A node that holds every file in memory, and readers that ask it for one after the other. */
class Rig {
 public:
  Rig(const std::string& directory, const std::string& binaries) {
    const std::string content(kReadBytes, 'x');
    for (std::size_t i = 0; i < kFiles; ++i) {
      std::filesystem::create_directories(directory + "/store/d" + std::to_string(i));
      std::ofstream(directory + "/store/" + pathOf(i), std::ios::binary) << content;
    }
    tools::LocalClusterConfig config;
    config.binaries = binaries;
    config.directory = directory + "/cluster";
    config.storeName = "bench";
    config.storeRoot = directory + "/store";
    config.nodes = 1;
    config.nodeSettings = {"cache.dram=256MiB"};
    auto cluster = tools::LocalCluster::start(config, clock_);
    if (!cluster) {
      fail(cluster.error().message);
    }
    cluster_ = *std::move(cluster);
    client::ClientConfig reading;
    reading.storeName = "bench";
    reading.storeRoot = directory + "/store";
    reading.ringFile = cluster_->ringFile();
    reading.readAhead = 0;
    reading.hedgeShare = 0;
    reading.getDeadline = std::chrono::seconds(60);
    auto client = client::Client::create(reading);
    if (!client) {
      fail(client.error().message);
    }
    client_ = *std::move(client);
    for (std::size_t i = 0; i < kFiles; ++i) {
      handles_.push_back(*client_->open(pathOf(i), {.job = "job-" + std::to_string(i)}));
      readFile(i);
    }
  }

  const HostPort& metrics() const { return cluster_->metricsAddress(0); }
  const Clock& clock() const { return clock_; }
  bool allCameFromTheNode() const { return client_->stats().bytesFromBackingStore == 0; }

  /** All readers read for so long. */
  Turn read(double seconds) {
    std::atomic<std::uint64_t> reads = 0;
    const double cpuBefore = nodeCpuMilliseconds();
    const TimePoint began = clock_.now();
    const TimePoint end =
        began + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
    std::vector<std::thread> readers;
    for (int reader = 0; reader < kReaders; ++reader) {
      readers.emplace_back([&, reader] {
        std::mt19937_64 random(static_cast<std::uint64_t>(reader));
        while (clock_.now() < end) {
          readFile(random() % kFiles);
          ++reads;
        }
      });
    }
    for (std::thread& reader : readers) {
      reader.join();
    }
    const double took = std::chrono::duration<double>(clock_.now() - began).count();
    const double mebibytes = static_cast<double>(reads * kReadBytes) / static_cast<double>(kMiB);
    return {.throughput = mebibytes / took,
            .nodeCpu = (nodeCpuMilliseconds() - cpuBefore) * static_cast<double>(kGiB / kMiB) / mebibytes};
  }

 private:
  static std::string pathOf(std::size_t file) { return "d" + std::to_string(file) + "/part"; }

  double nodeCpuMilliseconds() const {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(cluster_->node(0).pid(), &clock) != 0 || ::clock_gettime(clock, &time) != 0) {
      fail("the kernel does not tell the node's CPU time");
    }
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  }

  void readFile(std::size_t file) {
    thread_local std::vector<std::byte> buffer(kReadBytes);
    if (const auto got = client_->pread(handles_[file], buffer, 0); !got || *got != kReadBytes) {
      fail(got ? "a short read" : got.error().message);
    }
  }

  const SystemClock clock_;
  std::unique_ptr<tools::LocalCluster> cluster_;
  std::unique_ptr<client::Client> client_;
  std::vector<client::Handle> handles_;
};

/** CPU milliseconds of the node for one scrape, while nobody reads. */
double cpuOfAScrape(Rig& rig, const Options& options) {
  Scraper scraper(rig.metrics(), Duration(0), rig.clock());
  std::this_thread::sleep_for(std::chrono::duration<double>(options.seconds));
  const Scraper::Scrapes scrapes = scraper.stop();
  if (!scrapes.fault.empty() || scrapes.milliseconds.size() < 2) {
    fail("scraping failed: " + scrapes.fault);
  }
  return scrapes.cpuMilliseconds / static_cast<double>(scrapes.milliseconds.size() - 1);
}

/** One turn with somebody who scrapes at this interval. */
Turn scraped(Rig& rig, const Options& options, Duration interval, Scraper::Scrapes& all) {
  Scraper scraper(rig.metrics(), interval, rig.clock());
  const Turn turn = rig.read(options.seconds);
  const Scraper::Scrapes scrapes = scraper.stop();
  if (!scrapes.fault.empty() || scrapes.milliseconds.empty()) {
    fail("scraping failed: " + (scrapes.fault.empty() ? "the turns are too short" : scrapes.fault));
  }
  all.milliseconds.insert(all.milliseconds.end(), scrapes.milliseconds.begin(), scrapes.milliseconds.end());
  all.bytes = scrapes.bytes;
  return turn;
}

void run(BenchReport& report, const Options& options, const std::string& directory,
         const std::string& binaries) {
  Rig rig(directory, binaries);
  rig.read(options.seconds);  // warm
  Turns alone, everySecond, withoutPause;
  Scraper::Scrapes calm, hasty;
  const auto turns = std::to_array<std::function<void()>>({
      [&] { alone.add(rig.read(options.seconds)); },
      [&] { everySecond.add(scraped(rig, options, std::chrono::seconds(1), calm)); },
      [&] { withoutPause.add(scraped(rig, options, Duration(0), hasty)); },
  });
  for (int round = 0; round < options.rounds; ++round) {
    // Whoever goes first in one round does not in the next.
    for (std::size_t i = 0; i < turns.size(); ++i) {
      turns[(static_cast<std::size_t>(round) + i) % turns.size()]();
    }
  }
  if (!rig.allCameFromTheNode()) {
    fail("the node did not serve everything: these are not its numbers");
  }
  report.compare("hits of 256 KiB, a scrape every second", "MiB/s", everySecond.throughput, "no scrapes",
                 alone.throughput, Goal::atLeast(0.99));
  report.compare("hits of 256 KiB, scrapes without pause", "MiB/s", withoutPause.throughput, "no scrapes",
                 alone.throughput);
  report.compare("CPU of the node, a scrape every second", "ms a GiB", everySecond.nodeCpu, "no scrapes",
                 alone.nodeCpu);
  report.measure("a scrape, one every second", "ms", calm.milliseconds);
  report.measure("CPU of the node for a scrape", "ms", {cpuOfAScrape(rig, options)});
  report.measure("a page of metrics", "KiB", {static_cast<double>(calm.bytes) / static_cast<double>(kKiB)});
}

}  // namespace
}  // namespace shift::bench

int main(int argc, char** argv) {
  using namespace shift::bench;
  BenchReport report(argc, argv);
  Options options;
  CLI::App app("What it costs a node to be watched", "shift-bench-metrics");
  app.add_option("--seconds", options.seconds, "length of one turn")->check(CLI::Range(1.0, 600.0));
  app.add_option("--rounds", options.rounds, "turns of each kind")->check(CLI::Range(5, 1000));
  CLI11_PARSE(app, argc, argv);
  try {
    const shift::TemporaryDirectory directory("shift-bench-metrics");
    run(report, options, directory.path().string(),
        std::filesystem::read_symlink("/proc/self/exe").parent_path().string());
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
  return 0;
}
