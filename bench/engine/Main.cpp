// The flash engine against the device it runs on (fio) and the memory it runs in (memcpy).

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>

#include "bench/engine/EngineRig.h"
#include "bench/engine/Fio.h"
#include "bench/report/BenchReport.h"
#include "common/ByteSize.h"

namespace shift::bench {
namespace {

constexpr std::uint32_t kSegment = 256 * kKiB;
constexpr std::uint32_t kSegmentsPerBlock = 288;  // 72 MiB
constexpr double kMiBPerSecond = static_cast<double>(kMiB);

struct Options {
  std::string directory = ".";
  std::uint64_t fileBytes = 4 * kGiB;
  double seconds = 2;
  int rounds = 5;
  std::string only;  // "fio", "memcpy", "small", "recovery"; empty: all

  bool wants(const std::string& part) const { return only.empty() || only == part; }
};

/** A directory of its own below the one that was named, removed at the end. */
class Workplace {
 public:
  explicit Workplace(const std::string& directory) {
    std::string pattern = directory + "/shift-bench-engine-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("cannot make a directory in " + directory);
    }
    path_ = pattern;
  }
  ~Workplace() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  void remove(const std::string& name) const { std::filesystem::remove(file(name)); }

 private:
  std::string path_;
};

node::FlashEngineConfig configFor(const std::string& file, std::uint64_t bytes, std::uint64_t dramBytes) {
  node::FlashEngineConfig config;
  config.files = {{file, bytes}};
  config.dramBytes = dramBytes;
  config.segmentSize = kSegment;
  return config;
}

/** Inserts and random hits, each in turn with fio on a file of the same size in the same directory. */
void againstFio(BenchReport& report, const Workplace& place, const Options& options) {
  EngineRig rig(configFor(place.file("cache"), options.fileBytes, 64 * kMiB));
  const std::uint64_t segments = options.fileBytes / kSegment * 95 / 100;
  FioJob job{place.file("fio"), "write", options.fileBytes, kSegment, 32, options.seconds};
  // Once round, so that neither meets blocks that were never written: those are read without the disk.
  rig.insert(segments, kSegment, kSegmentsPerBlock);
  runFio({job.file, "write", options.fileBytes, kSegment, 32, 0});

  std::vector<double> ours, theirs, ourCpu, theirCpu;
  const auto measure = [&](const auto& engineRun, const FioJob& peer) {
    ours.clear(), theirs.clear(), ourCpu.clear(), theirCpu.clear();
    for (int round = 0; round < options.rounds; ++round) {
      // In turn the first and the second: a disk that grants bursts favours whoever comes first.
      Throughput engine = round % 2 == 0 ? engineRun() : Throughput{};
      const FioResult fio = runFio(peer);
      engine = round % 2 == 0 ? engine : engineRun();
      ours.push_back(engine.bytesPerSecond / kMiBPerSecond);
      theirs.push_back(fio.bytesPerSecond / kMiBPerSecond);
      ourCpu.push_back(engine.cpuSecondsPerGiB);
      theirCpu.push_back(fio.cpuSecondsPerGiB);
    }
  };
  measure([&] { return rig.insertFor(options.seconds, kSegment, kSegmentsPerBlock); }, job);
  report.compare("admission, 256 KiB", "MiB/s", ours, "fio write", theirs, Goal::atLeast(0.85));
  report.compare("admission, 256 KiB: CPU", "s/GiB", ourCpu, "fio write", theirCpu);
  job.pattern = "randread";
  for (const std::uint32_t depth : {1u, 8u, 32u}) {
    job.depth = depth;
    const std::string name = "flash hits, 256 KiB, depth " + std::to_string(depth);
    measure([&] { return rig.readFor(options.seconds, depth, segments); }, job);
    report.compare(name, "MiB/s", ours, "fio randread", theirs, Goal::atLeast(0.90));
    report.compare(name + ": CPU", "s/GiB", ourCpu, "fio randread", theirCpu);
  }
  const auto written = [&](const char* cause) {
    return static_cast<double>(rig.counter(std::string("engine_written_") + cause + "_bytes_total"));
  };
  report.measure("write amplification, 256 KiB", "x",
                 {(written("admitted") + written("metadata")) /
                  static_cast<double>(rig.counter("engine_inserted_bytes_total"))},
                 Goal::atMost(1.03));
}

void againstMemcpy(BenchReport& report, const Workplace& place, const Options& options) {
  constexpr std::uint64_t kDram = kGiB;
  constexpr std::uint64_t kHeld = kDram / kSegment * 9 / 10;
  EngineRig rig(configFor(place.file("dram"), 2 * kDram, kDram));
  rig.insert(kHeld, kSegment, kSegmentsPerBlock);
  CopyArena arena(kHeld * kSegment);
  std::vector<double> ours, theirs;
  // Short turns: what else the machine does falls on both alike.
  constexpr double kTurn = 0.05;
  for (double spent = 0; spent < options.rounds * options.seconds; spent += kTurn) {
    theirs.push_back(arena.copyFor(kTurn, kSegment).bytesPerSecond / kMiBPerSecond);
    ours.push_back(rig.copyFor(kTurn, kHeld).bytesPerSecond / kMiBPerSecond);
  }
  report.compare("DRAM hits, 256 KiB, copied out", "MiB/s", ours, "memcpy", theirs, Goal::atLeast(0.90));
}

/** Files of 110 KB, one segment each: what is live, what is written, what a segment costs. */
void smallFiles(BenchReport& report, const Workplace& place) {
  constexpr std::uint64_t kFile = 2 * kGiB;
  constexpr std::uint32_t kSize = 110'000;
  EngineRig rig(configFor(place.file("small"), kFile, 64 * kMiB));
  rig.insert(kFile / kSize * 3 / 2, kSize, 1);
  const auto status = rig.engine().status();
  report.measure("live share of flash, 110 KB files", "of the file",
                 {static_cast<double>(status.usedBytes) / static_cast<double>(kFile)}, Goal::atLeast(0.95));
  report.measure("write amplification, 110 KB files", "x",
                 {static_cast<double>(rig.counter("engine_written_admitted_bytes_total") +
                                      rig.counter("engine_written_metadata_bytes_total")) /
                  static_cast<double>(rig.counter("engine_inserted_bytes_total"))},
                 Goal::atMost(1.03));
  report.measure("index, 110 KB files", "B/segment",
                 {static_cast<double>(rig.engine().indexBytes()) / static_cast<double>(status.segments)},
                 Goal::atMost(64));
}

/** A million segments, kept short so that they fit the disk: recovery reads the index, not the data. */
void recovery(BenchReport& report, const Workplace& place, const Options& options) {
  constexpr std::uint64_t kSegments = 1'000'000;
  node::FlashEngineConfig config = configFor(place.file("recovery"), 9 * kGiB / 2, 64 * kMiB);
  config.meanSegmentBytes = node::kUnitBytes;
  EngineRig rig(config);
  rig.insert(kSegments, node::kUnitBytes, kSegmentsPerBlock);
  report.measure("index, blocks of 288 segments", "B/segment",
                 {static_cast<double>(rig.engine().indexBytes()) / kSegments}, Goal::atMost(64));
  std::vector<double> took;
  for (int round = 0; round < options.rounds; ++round) {
    took.push_back(rig.restart());
    if (rig.engine().status().segments != kSegments) {
      throw std::runtime_error("recovery did not find every segment");
    }
  }
  report.measure("recovery of a million segments", "s", took, Goal::atMost(1));
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--dir") {
      options.directory = value;
    } else if (name == "--size" && parseByteSize(value)) {
      options.fileBytes = *parseByteSize(value);
    } else if (name == "--seconds") {
      options.seconds = std::stod(value);
    } else if (name == "--rounds") {
      options.rounds = std::stoi(value);
    } else if (name == "--only") {
      options.only = value;
    } else {
      throw std::runtime_error("unknown option " + name + " " + value);
    }
  }
  return options;
}

}  // namespace
}  // namespace shift::bench

int main(int argc, char** argv) {
  using namespace shift::bench;
  BenchReport report(argc, argv);
  if (argc % 2 == 0) {
    std::fprintf(stderr,
                 "usage: %s [--json] [--dir DIRECTORY] [--size 4GiB] [--seconds 2] [--rounds 5]\n"
                 "          [--only fio|memcpy|small|recovery]\n"
                 "Makes its files, twice the size and a few GiB more, in DIRECTORY, and removes them.\n",
                 argv[0]);
    return 2;
  }
  try {
    const Options options = parse(argc, argv);
    const Workplace place(options.directory);
    if (options.wants("fio")) {
      againstFio(report, place, options);
      place.remove("cache");
      place.remove("fio");
    }
    if (options.wants("memcpy")) {
      againstMemcpy(report, place, options);
      place.remove("dram");
    }
    if (options.wants("small")) {
      smallFiles(report, place);
      place.remove("small");
    }
    if (options.wants("recovery")) {
      recovery(report, place, options);
    }
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 1;
  }
  return 0;
}
