#include "shift-node/engine/flash/FlashEngineConfig.h"

#include <set>

#include "shift-node/engine/flash/Device.h"
#include "shift-node/engine/flash/SegmentIndex.h"

namespace shift::node {
namespace {

constexpr std::uint64_t kLargestFile = 16 * kTiB - 16 * kMiB;
constexpr std::uint64_t kSegmentsPerFile = 16;
constexpr std::uint64_t kSegmentsInDram = 4;

class Faults {
 public:
  void unless(bool holds, const std::string& fault) {
    if (!holds) {
      list_.push_back(fault);
    }
  }
  std::vector<std::string> take() { return std::move(list_); }

 private:
  std::vector<std::string> list_;
};

}  // namespace

std::vector<std::string> FlashEngineConfig::validate() const {
  using namespace std::chrono_literals;
  Faults faults;
  faults.unless(!files.empty() && files.size() <= kMaxDevices, "there must be 1 to 16 flash files");
  std::set<std::string> paths;
  for (const FlashFileConfig& file : files) {
    faults.unless(!file.path.empty(), "a flash file has no path");
    faults.unless(paths.insert(file.path).second, "flash file " + file.path + " is named twice");
    faults.unless(file.bytes % kUnitBytes == 0, "flash file " + file.path + ": its size " +
                                                    std::to_string(file.bytes) +
                                                    " is not a multiple of 4 KiB");
    faults.unless(file.bytes == 0 || file.bytes >= kSegmentsPerFile * segmentSize,
                  "flash file " + file.path + ": its size is less than 16 segments");
    faults.unless(file.bytes <= kLargestFile, "flash file " + file.path + ": its size is 16 TiB or more");
  }
  faults.unless(
      segmentSize >= kMinSegmentSize && segmentSize <= kMaxSegmentSize && segmentSize % kUnitBytes == 0,
      "the segment size must be 64 KiB to 4 MiB and a multiple of 4 KiB");
  faults.unless(dramBytes >= kSegmentsInDram * segmentSize && dramBytes <= kLargestFile,
                "the memory for segments must be from 4 segments to less than 16 TiB");
  faults.unless(queueDepth >= 1 && queueDepth <= 4096, "the queue depth must be 1 to 4096");
  faults.unless(ioThreads >= 1 && ioThreads <= 256, "the I/O threads must be 1 to 256");
  faults.unless(meanSegmentBytes == 0 || (meanSegmentBytes >= kUnitBytes && meanSegmentBytes <= segmentSize),
                "the mean size of segments must be from 4 KiB to the segment size");
  faults.unless(spareShare >= 0 && spareShare <= 0.5, "the spare share must be 0 to 0.5");
  faults.unless(writeBufferBytes >= segmentSize, "the write buffer must hold at least one segment");
  faults.unless(journalInterval >= 1ms && journalInterval <= 1min,
                "the journal interval must be 1 ms to 1 min");
  faults.unless(ioTimeout >= 1ms && ioTimeout <= 10min, "the I/O timeout must be 1 ms to 10 min");
  faults.unless(errorsUntilOut >= 1, "the number of errors until a file is out of use must be at least 1");
  return faults.take();
}

}  // namespace shift::node
