// What a read costs that the tier does not serve: over modelled hard disks never much more than without a
// tier, and what that is in microseconds.

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
constexpr int kTurns = 9;

/** Why no node serves the reads of a client. */
struct Reason {
  std::string name;
  std::string ringFile;
  std::string ruleFile;
};

/** One file in a store, read directly and through a client in turn. */
class Rig {
 public:
  explicit Rig(const std::string& directory) : directory_(directory) {
    std::filesystem::create_directories(storeRoot());
    std::ofstream file(storeRoot() + "/data", std::ios::binary);
    std::mt19937_64 random(1);
    for (std::uint64_t i = 0; i < kFileBytes / sizeof(std::uint64_t); ++i) {
      const std::uint64_t word = random();
      file.write(reinterpret_cast<const char*>(&word), sizeof word);
    }
    file.close();
    pageCache_ = openStore();
    store::DiskConfig disks;
    disks.disks = 16;
    disks_ = *store::putOnDisks(openStore(), disks, clock_, waiter_, counters_);
  }

  std::string storeRoot() const { return directory_ + "/store"; }
  const Clock& clock() const { return clock_; }

  /** Over hard disks: what a trainer may notice. */
  void compareOnDisks(BenchReport& report, const Reason& reason, std::size_t size) {
    constexpr int kReadsPerTurn = 20;
    const Compared took = compare(*disks_, reason, size, kReadsPerTurn);
    report.compare(nameOf(reason, size), "ms a read", took.throughClient, "direct read", took.directly,
                   Goal::atMost(1.05));
  }

  /** From the page cache, which nobody would put a tier before: what the client itself adds to a read. */
  void compareInPageCache(BenchReport& report, const Reason& reason, std::size_t size) {
    constexpr int kReadsPerTurn = 500;
    const Compared took = compare(*pageCache_, reason, size, kReadsPerTurn);
    std::vector<double> added;
    for (std::size_t i = 0; i < took.directly.size(); ++i) {
      added.push_back(1e3 * (took.throughClient[i] - took.directly[i]));
    }
    report.measure(nameOf(reason, size) + ": added to a read of the page cache", "us", added);
  }

 private:
  /** Milliseconds a read, of each turn. */
  struct Compared {
    std::vector<double> throughClient, directly;
  };

  static std::string nameOf(const Reason& reason, std::size_t size) {
    return reason.name + ", " + formatByteSize(static_cast<double>(size));
  }

  std::unique_ptr<store::BackingStore> openStore() const {
    auto store = store::DirectoryStore::open("bench", storeRoot());
    if (!store) {
      throw std::runtime_error(store.error().message);
    }
    return *std::move(store);
  }

  Compared compare(store::BackingStore& store, const Reason& reason, std::size_t size, int readsPerTurn) {
    client::ClientConfig config;
    config.storeName = "bench";
    config.ringFile = reason.ringFile;
    config.ruleFile = reason.ruleFile;
    const auto client = client::Client::create(config, store, clock_);
    if (!client) {
      throw std::runtime_error(client.error().message);
    }
    const client::Handle handle = *(*client)->open("data");
    const auto file = *store.open("data");
    std::string buffer(size, '?');
    const auto into = std::as_writable_bytes(std::span(buffer));
    const auto throughClient = [&](std::uint64_t offset) { return *(*client)->pread(handle, into, offset); };
    const auto directly = [&](std::uint64_t offset) { return *file->read(into, offset); };
    turn(throughClient, size, readsPerTurn);  // the first failures are over
    Compared took;
    for (int i = 0; i < kTurns; ++i) {
      took.throughClient.push_back(turn(throughClient, size, readsPerTurn));
      took.directly.push_back(turn(directly, size, readsPerTurn));
    }
    if ((*client)->stats().bytesFromNodes > 0) {
      throw std::runtime_error("a node served what it should not have");
    }
    return took;
  }

  template <typename Read>
  double turn(const Read& read, std::size_t size, int reads) {
    const TimePoint began = clock_.now();
    for (int i = 0; i < reads; ++i) {
      if (read(random_() % (kFileBytes - size)) != size) {
        throw std::runtime_error("a short read");
      }
    }
    return std::chrono::duration<double, std::milli>(clock_.now() - began).count() / reads;
  }

  const std::string directory_;
  const SystemClock clock_;
  const SystemWaiter waiter_;
  CounterRegistry counters_;
  std::unique_ptr<store::BackingStore> pageCache_;
  std::unique_ptr<store::BackingStore> disks_;
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

/** Rules by which no file of the store goes through the tier. */
std::string bypassRules(const std::string& directory) {
  std::ofstream(directory + "/rules.toml") << "[[rule]]\nid = \"all\"\naction = \"bypass\"\n";
  return directory + "/rules.toml";
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
  const Reason reasons[] = {{"all nodes dead", deadRing(directory), ""},
                            {"all reads refused", (*cluster)->ringFile(), ""},
                            {"not eligible", (*cluster)->ringFile(), bypassRules(directory)}};
  constexpr std::size_t kSizes[] = {4 * kKiB, 256 * kKiB, kMiB};
  for (const std::size_t size : kSizes) {
    for (const Reason& reason : reasons) {
      rig.compareOnDisks(report, reason, size);
    }
  }
  for (const std::size_t size : kSizes) {
    for (const Reason& reason : reasons) {
      rig.compareInPageCache(report, reason, size);
    }
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
