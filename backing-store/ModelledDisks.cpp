#include "backing-store/ModelledDisks.h"

#include <algorithm>
#include <mutex>

#include "backing-store/DiskModel.h"
#include "backing-store/StorePath.h"
#include "blocks/BlockId.h"
#include "blocks/Geometry.h"

namespace shift::store {
namespace {

constexpr std::uint64_t kStripe = kDefaultBlockSize;

/** What one disk has to do for a read. */
struct DiskRead {
  std::uint32_t disk = 0;
  std::uint64_t bytes = 0;
};

}  // namespace

/** The disks that all files of the store share. */
class ModelledDisks::Disks {
 public:
  Disks(DiskModel model, const Clock& clock, const Waiter& waiter, CounterRegistry& counters)
      : clock_(clock),
        waiter_(waiter),
        model_(std::move(model)),
        reads_(counters.counter("disk_reads_total", "Reads of the modelled disks")),
        bytes_(counters.counter("disk_read_bytes_total", "Bytes read from the modelled disks")),
        headTime_(counters.counter("disk_head_nanoseconds_total",
                                   "Time that the heads of the modelled disks were busy")),
        queued_(counters.counter("disk_queued_reads", "Reads that wait for a modelled disk, or are served")) {
  }

  /** Which disk a stripe of a file lies on. */
  std::uint32_t diskOf(const std::string& store, const std::string& path, const std::string& version,
                       std::uint64_t stripe) const {
    // The ring goes by the other half of an id: a node's blocks are spread over all disks.
    return static_cast<std::uint32_t>(blockIdOf(store, path, version, kStripe, stripe).low % model_.disks());
  }

  /** Puts the reads in the queues of their disks. Returns when the last of them will be done. */
  TimePoint book(const std::vector<DiskRead>& reads) {
    std::lock_guard lock(mutex_);
    // Under the lock: reads arrive in the order in which they are booked.
    const TimePoint arrival = clock_.now();
    TimePoint done = arrival;
    for (const DiskRead& read : reads) {
      const DiskBooking booking = model_.book(arrival, read.disk, read.bytes);
      done = std::max(done, booking.end);
      bytes_.add(static_cast<std::int64_t>(read.bytes));
      headTime_.add((booking.end - booking.begin).count());
    }
    reads_.add(static_cast<std::int64_t>(reads.size()));
    queued_.add(static_cast<std::int64_t>(reads.size()));
    return done;
  }

  void await(TimePoint done, const std::vector<DiskRead>& reads) {
    waiter_.waitUntil(done);
    queued_.add(-static_cast<std::int64_t>(reads.size()));
  }

 private:
  const Clock& clock_;
  const Waiter& waiter_;
  std::mutex mutex_;
  DiskModel model_;
  Counter& reads_;
  Counter& bytes_;
  Counter& headTime_;
  Counter& queued_;
};

class ModelledDisks::File final : public BackingFile {
 public:
  File(std::unique_ptr<BackingFile> inner, std::string store, std::string path, std::shared_ptr<Disks> disks)
      : inner_(std::move(inner)),
        store_(std::move(store)),
        path_(std::move(path)),
        disks_(std::move(disks)) {}

  const FileInfo& info() const override { return inner_->info(); }
  Result<FileInfo> currentInfo() const override { return inner_->currentInfo(); }

  using BackingFile::read;
  Result<std::size_t> read(std::span<const std::span<std::byte>> into, std::uint64_t offset) const override {
    std::uint64_t count = 0;
    for (const std::span<std::byte> buffer : into) {
      count += buffer.size();
    }
    std::vector<DiskRead> reads;
    for (const BlockRange& piece : cutIntoBlocks(info().size, offset, count, kStripe)) {
      reads.push_back({disks_->diskOf(store_, path_, info().version, piece.block), piece.length});
    }
    const TimePoint done = disks_->book(reads);
    Result<std::size_t> got = inner_->read(into, offset);
    disks_->await(done, reads);
    return got;
  }

 private:
  const std::unique_ptr<BackingFile> inner_;
  const std::string store_;
  const std::string path_;
  const std::shared_ptr<Disks> disks_;
};

ModelledDisks::ModelledDisks(std::unique_ptr<BackingStore> inner, DiskModel model, const Clock& clock,
                             const Waiter& waiter, CounterRegistry& counters)
    : inner_(std::move(inner)), disks_(std::make_shared<Disks>(std::move(model), clock, waiter, counters)) {}

ModelledDisks::~ModelledDisks() = default;

const std::string& ModelledDisks::name() const {
  return inner_->name();
}

Result<FileInfo> ModelledDisks::stat(std::string_view path) const {
  return inner_->stat(path);
}

Result<std::unique_ptr<BackingFile>> ModelledDisks::open(std::string_view path) const {
  Result<std::string> normal = normalisePath(path);  // one place for a file, however it is spelled
  if (!normal) {
    return normal.error();
  }
  Result<std::unique_ptr<BackingFile>> file = inner_->open(*normal);
  if (!file) {
    return file.error();
  }
  return std::unique_ptr<BackingFile>(new File(*std::move(file), inner_->name(), *std::move(normal), disks_));
}

Result<std::vector<ListedFile>> ModelledDisks::list(std::string_view directory) const {
  return inner_->list(directory);
}

Result<std::unique_ptr<BackingStore>> putOnDisks(std::unique_ptr<BackingStore> store,
                                                 const DiskConfig& config, const Clock& clock,
                                                 const Waiter& waiter, CounterRegistry& counters) {
  if (config.disks == 0) {
    return store;
  }
  Result<DiskQueues> queues = config.queueFile.empty() ? Result<DiskQueues>(DiskQueues(config.disks))
                                                       : DiskQueues::shared(config.queueFile, config.disks);
  if (!queues) {
    return queues.error();
  }
  return std::unique_ptr<BackingStore>(std::make_unique<ModelledDisks>(
      std::move(store), DiskModel(config, *std::move(queues)), clock, waiter, counters));
}

}  // namespace shift::store
