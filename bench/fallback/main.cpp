// What a read costs that the tier does not serve, over modelled hard disks: never much more than without a
// tier.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>

#include "backing-store/DirectoryStore.h"
#include "backing-store/ModelledDisks.h"
#include "bench/report/BenchReport.h"
#include "client-lib/Client.h"
#include "common/ByteSize.h"
#include "common/TemporaryDirectory.h"
#include "net/Socket.h"
#include "ring/RingFile.h"
#include "tools/cluster/LocalCluster.h"

namespace shift::bench {
namespace {

constexpr std::uint64_t kFileBytes = 64 * kMiB;
constexpr int kReadsPerTurn = 20;
constexpr int kTurns = 9;

/** A store with one file on modelled disks, read directly and through a client in turn. */
class Rig {
 public:
  explicit Rig(const std::string& directory) : directory_(directory) {
    std::filesystem::create_directories(directory + "/store");
    std::ofstream file(directory + "/store/data", std::ios::binary);
    std::mt19937_64 random(1);
    for (std::uint64_t i = 0; i < kFileBytes / sizeof(std::uint64_t); ++i) {
      const std::uint64_t word = random();
      file.write(reinterpret_cast<const char*>(&word), sizeof word);
    }
    file.close();
    auto store = store::DirectoryStore::open("bench", directory + "/store");
    if (!store) {
      throw std::runtime_error(store.error().message);
    }
    store::DiskConfig disks;
    disks.disks = 16;
    store_ = *store::putOnDisks(*std::move(store), disks, clock_, waiter_, counters_);
  }

  std::string storeRoot() const { return directory_ + "/store"; }
  const Clock& clock() const { return clock_; }

  /** Reads of that size through a client with this ring, against reads of the store, both at random places.
   */
  void compare(BenchReport& report, const std::string& name, const std::string& ringFile, std::size_t size,
               std::optional<Goal> goal) {
    client::ClientConfig config;
    config.storeName = "bench";
    config.ringFile = ringFile;
    const auto client = client::Client::create(config, *store_, clock_);
    if (!client) {
      throw std::runtime_error(client.error().message);
    }
    const client::Handle handle = *(*client)->open("data");
    const auto file = *store_->open("data");
    std::string buffer(size, '?');
    const auto into = std::as_writable_bytes(std::span(buffer));
    const auto throughClient = [&](std::uint64_t offset) { return *(*client)->pread(handle, into, offset); };
    const auto directly = [&](std::uint64_t offset) { return *file->read(into, offset); };
    turn(throughClient, size);  // the first failures are over
    std::vector<double> ours, theirs;
    for (int i = 0; i < kTurns; ++i) {
      ours.push_back(turn(throughClient, size));
      theirs.push_back(turn(directly, size));
    }
    report.compare(name + ", " + formatByteSize(static_cast<double>(size)), "ms a read", ours, "direct read",
                   theirs, goal);
    if ((*client)->stats().bytesFromNodes > 0) {
      throw std::runtime_error("a node served what it should not have");
    }
  }

 private:
  template <typename Read>
  double turn(const Read& read, std::size_t size) {
    const TimePoint began = clock_.now();
    for (int i = 0; i < kReadsPerTurn; ++i) {
      if (read(random_() % (kFileBytes - size)) != size) {
        throw std::runtime_error("a short read");
      }
    }
    return std::chrono::duration<double, std::milli>(clock_.now() - began).count() / kReadsPerTurn;
  }

  const std::string directory_;
  const SystemClock clock_;
  const SystemWaiter waiter_;
  CounterRegistry counters_;
  std::unique_ptr<store::BackingStore> store_;
  std::mt19937_64 random_{7};
};

/** A ring of nodes at whose addresses nobody listens. */
std::string deadRing(const std::string& directory) {
  std::vector<ring::Member> members;
  std::vector<FileDescriptor> sockets;
  for (int i = 0; i < 3; ++i) {
    sockets.push_back(*net::listenOn({"127.0.0.1", 0}));
    members.push_back({.id = "n" + std::to_string(i), .address = *net::localAddress(sockets.back())});
  }
  std::ofstream(directory + "/dead.toml") << ring::formatRingFile(ring::Ring(std::move(members)));
  return directory + "/dead.toml";
}

void run(BenchReport& report, const std::string& directory, const std::string& binaries) {
  Rig rig(directory);
  tools::LocalClusterConfig config;
  config.binaries = binaries;
  config.directory = directory + "/cluster";
  config.storeName = "bench";
  config.storeRoot = rig.storeRoot();
  // Expected reads never reach the threshold: everything is refused.
  config.nodeSettings = {"policy.name=historic", "policy.min_admit_threshold=1000",
                         "policy.max_admit_threshold=1000"};
  const auto cluster = tools::LocalCluster::start(config, rig.clock());
  if (!cluster) {
    throw std::runtime_error(cluster.error().message);
  }
  const std::string dead = deadRing(directory);
  for (const std::size_t size : {4 * kKiB, 256 * kKiB, kMiB}) {
    const std::optional<Goal> goal = Goal::atMost(1.05);
    rig.compare(report, "all nodes dead", dead, size, goal);
    rig.compare(report, "all reads refused", (*cluster)->ringFile(), size, goal);
  }
}

}  // namespace
}  // namespace shift::bench

int main(int argc, char** argv) {
  using namespace shift::bench;
  BenchReport report(argc, argv);
  if (argc > 1) {
    std::fprintf(stderr, "usage: %s [--json]\n", argv[0]);
    return 2;
  }
  try {
    const shift::TemporaryDirectory directory("shift-bench-fallback");
    run(report, directory.path().string(),
        std::filesystem::read_symlink("/proc/self/exe").parent_path().string());
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
  return 0;
}
