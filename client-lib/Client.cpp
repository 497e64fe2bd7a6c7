#include "client-lib/Client.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <unordered_map>

#include "backing-store/DirectoryStore.h"
#include "backing-store/StorePath.h"
#include "client-lib/ClientMetrics.h"
#include "client-lib/JobId.h"
#include "client-lib/Reader.h"
#include "common/Log.h"
#include "common/PeriodicTask.h"

namespace shift::client {
namespace {

/** Buffers of preadv() that are larger are received into directly; smaller ones are gathered first. */
constexpr std::size_t kReceiveDirectly = 64 * kKiB;

Error badHandle() {
  return Error::fromErrno(EBADF, "no such open file");
}

Result<std::size_t> resultOf(ReadItem& item) {
  return item.error ? Result<std::size_t>(*std::move(item.error)) : Result<std::size_t>(item.done);
}

}  // namespace

/** Handles, and the parts that serve them. */
class Client::State {
 public:
  State(const ClientConfig& config, std::unique_ptr<store::BackingStore> ownStore,
        const store::BackingStore& store, std::unique_ptr<Clock> ownClock, const Clock& clock)
      : config_(config),
        ownStore_(std::move(ownStore)),
        store_(store),
        ownClock_(std::move(ownClock)),
        clock_(clock),
        shadow_(store) {}

  ~State() {
    metricsWriter_.reset();
    refresher_.reset();
    for (const auto& [handle, file] : files_) {
      stopReadAhead(*file);
    }
  }

  Status start() {
    Result<std::unique_ptr<ClusterWatcher>> watcher = ClusterWatcher::create(config_, clock_, past_, shadow_);
    if (!watcher) {
      return watcher.error();
    }
    watcher_ = *std::move(watcher);
    reader_ = std::make_unique<Reader>(config_, *watcher_, past_, shadow_, clock_);
    if (config_.readAhead > 0) {
      readAheadPool_ = std::make_unique<ReadAheadPool>(config_.readAheadThreads, config_.readAheadTotal);
    }
    if (watcher_->isWatching()) {
      refresher_ = std::make_unique<PeriodicTask>(config_.refresh, [this] { refresh(); });
    }
    return startMetrics();
  }

  void refresh() {
    std::lock_guard lock(refreshMutex_);
    watcher_->tick();
    for (const auto& [member, node] : watcher_->view()->nodes) {
      if (node != nullptr) {
        node->tellTaken();
      }
    }
  }

  Result<Handle> open(std::string_view path, const OpenOptions& options) {
    Result<std::string> normal = store::normalisePath(path);
    if (!normal) {
      return normal.error();
    }
    Result<std::unique_ptr<store::BackingFile>> backing = store_.open(*normal);
    if (!backing) {
      return backing.error();
    }
    return add(*std::move(normal), *std::move(backing), options);
  }

  Result<Handle> open(std::string_view path, std::unique_ptr<store::BackingFile> backing,
                      const OpenOptions& options) {
    Result<std::string> normal = store::normalisePath(path);
    if (!normal) {
      return normal.error();
    }
    return add(*std::move(normal), std::move(backing), options);
  }

  Result<store::FileInfo> stat(std::string_view path) const { return store_.stat(path); }

  Result<store::FileInfo> stat(Handle handle) const {
    const std::shared_ptr<OpenFile> file = find(handle);
    return file == nullptr ? Result<store::FileInfo>(badHandle()) : file->backing->info();
  }

  Status close(Handle handle) {
    std::shared_ptr<OpenFile> closed;  // a read under way keeps it open until it is done
    {
      std::unique_lock lock(filesMutex_);
      const auto entry = files_.find(handle);
      if (entry == files_.end()) {
        return badHandle();
      }
      closed = std::move(entry->second);
      files_.erase(entry);
    }
    stopReadAhead(*closed);
    return {};
  }

  Result<std::size_t> pread(Handle handle, std::span<std::byte> into, std::uint64_t offset) {
    const std::shared_ptr<OpenFile> file = find(handle);
    if (file == nullptr) {
      return badHandle();
    }
    const std::size_t ahead = file->readAhead == nullptr ? 0 : file->readAhead->take(into, offset);
    if (ahead == into.size() && ahead > 0) {
      return ahead;
    }
    ReadItem rest{.file = file.get(), .into = into.subspan(ahead), .offset = offset + ahead};
    reader_->read({&rest, 1});
    if (rest.error && ahead > 0) {
      return ahead;
    }
    rest.done += ahead;
    return resultOf(rest);
  }

  Result<std::size_t> preadv(Handle handle, std::span<const std::span<std::byte>> into,
                             std::uint64_t offset) {
    const bool isLarge = std::all_of(into.begin(), into.end(), [&](const std::span<std::byte>& buffer) {
      return buffer.size() >= kReceiveDirectly || &buffer == &into.back();
    });
    return isLarge ? preadEach(handle, into, offset) : preadGathered(handle, into, offset);
  }

  std::vector<Result<std::size_t>> readBatch(std::span<const BatchRead> reads) {
    std::vector<std::shared_ptr<OpenFile>> files;
    std::vector<ReadItem> items;
    for (const BatchRead& read : reads) {
      files.push_back(find(read.handle));
      if (files.back() != nullptr) {
        items.push_back({.file = files.back().get(), .into = read.into, .offset = read.offset});
      }
    }
    reader_->read(items);
    std::vector<Result<std::size_t>> results;
    std::size_t next = 0;
    for (const std::shared_ptr<OpenFile>& file : files) {
      results.push_back(file == nullptr ? badHandle() : resultOf(items[next++]));
    }
    return results;
  }

  Result<RangeBytes> prefetch(Handle handle, std::uint64_t offset, std::uint64_t length) {
    const std::shared_ptr<OpenFile> file = find(handle);
    return file == nullptr ? Result<RangeBytes>(badHandle()) : reader_->prefetch(*file, offset, length);
  }

  Result<RangeBytes> probe(Handle handle, std::uint64_t offset, std::uint64_t length) {
    const std::shared_ptr<OpenFile> file = find(handle);
    return file == nullptr ? Result<RangeBytes>(badHandle()) : reader_->probe(*file, offset, length);
  }

  Result<EligibilityVerdict> eligibility(Handle handle) const {
    const std::shared_ptr<OpenFile> file = find(handle);
    return file == nullptr ? Result<EligibilityVerdict>(badHandle()) : reader_->eligibilityOf(*file);
  }

  ClientStats stats() const {
    ClientStats stats = reader_->stats();
    stats.bytesReadAhead = bytesReadAhead_;
    const Shadow::Findings shadow = shadow_.findings();
    stats.shadowReads = shadow.reads;
    stats.shadowMismatches = shadow.mismatches;
    return stats;
  }

 private:
  /** A file that cannot be written is a fault at the start; later it is said in the log. */
  Status startMetrics() {
    if (config_.metricsFile.empty()) {
      return {};
    }
    metricsFile_ = std::make_unique<MetricsFile>(config_.metricsFile, [this] { return stats(); });
    if (Status written = metricsFile_->write(); !written) {
      return written;
    }
    metricsWriter_ = std::make_unique<PeriodicTask>(config_.metricsEvery, [this] {
      if (const Status written = metricsFile_->write(); !written) {
        logWarning(written.error().message);
      }
    });
    return {};
  }

  Handle add(std::string path, std::unique_ptr<store::BackingFile> backing, const OpenOptions& options) {
    auto file = std::make_shared<OpenFile>();
    file->backing = std::move(backing);
    file->identity = {.store = store_.name(),
                      .path = std::move(path),
                      .version = file->backing->info().version,
                      .size = file->backing->info().size,
                      .blockSize = config_.blockSize};
    file->job = options.job.empty() ? jobIdFromEnvironment() : options.job;
    file->tag = options.tag;
    file->jobClass = options.jobClass;
    if (readAheadPool_ != nullptr) {
      // The file outlives its read-ahead: close() and the destructor wait for what is under way.
      file->readAhead = std::make_shared<ReadAhead>(
          *readAheadPool_, config_.readAhead, file->identity.size,
          [this, raw = file.get()](std::span<std::byte> into, std::uint64_t offset) {
            return readAhead(*raw, into, offset);
          });
    }
    std::unique_lock lock(filesMutex_);
    const Handle handle{++lastHandle_};
    files_.emplace(handle, std::move(file));
    return handle;
  }

  std::shared_ptr<OpenFile> find(Handle handle) const {
    std::shared_lock lock(filesMutex_);
    const auto entry = files_.find(handle);
    return entry == files_.end() ? nullptr : entry->second;
  }

  Result<std::size_t> preadEach(Handle handle, std::span<const std::span<std::byte>> into,
                                std::uint64_t offset) {
    std::vector<BatchRead> reads;
    for (const std::span<std::byte>& buffer : into) {
      reads.push_back({handle, buffer, offset});
      offset += buffer.size();
    }
    std::size_t done = 0;
    const std::vector<Result<std::size_t>> results = readBatch(reads);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!results[i]) {
        return done > 0 ? Result<std::size_t>(done) : results[i];
      }
      done += *results[i];
      if (*results[i] < into[i].size()) {
        break;
      }
    }
    return done;
  }

  Result<std::size_t> preadGathered(Handle handle, std::span<const std::span<std::byte>> into,
                                    std::uint64_t offset) {
    const std::size_t wanted = std::accumulate(
        into.begin(), into.end(), std::size_t{0},
        [](std::size_t sum, const std::span<std::byte>& buffer) { return sum + buffer.size(); });
    std::vector<std::byte> whole(wanted);
    const Result<std::size_t> got = pread(handle, whole, offset);
    if (!got) {
      return got;
    }
    std::span<const std::byte> rest(whole.data(), *got);
    for (const std::span<std::byte>& buffer : into) {
      const std::size_t count = std::min(buffer.size(), rest.size());
      std::copy_n(rest.begin(), count, buffer.begin());
      rest = rest.subspan(count);
    }
    return got;
  }

  std::size_t readAhead(const OpenFile& file, std::span<std::byte> into, std::uint64_t offset) {
    ReadItem item{.file = &file, .into = into, .offset = offset};
    reader_->read({&item, 1});
    bytesReadAhead_ += item.done;
    return item.done;
  }

  static void stopReadAhead(const OpenFile& file) {
    if (file.readAhead != nullptr) {
      file.readAhead->cancel();
    }
  }

  const ClientConfig config_;
  const std::unique_ptr<store::BackingStore> ownStore_;
  const store::BackingStore& store_;
  const std::unique_ptr<Clock> ownClock_;
  const Clock& clock_;
  PastCache past_;
  Shadow shadow_;
  std::unique_ptr<ClusterWatcher> watcher_;
  std::unique_ptr<Reader> reader_;
  std::unique_ptr<ReadAheadPool> readAheadPool_;
  std::mutex refreshMutex_;
  std::unique_ptr<PeriodicTask> refresher_;
  std::unique_ptr<MetricsFile> metricsFile_;  // if there is to be one
  std::unique_ptr<PeriodicTask> metricsWriter_;

  mutable std::shared_mutex filesMutex_;
  std::unordered_map<Handle, std::shared_ptr<OpenFile>> files_;
  std::uint64_t lastHandle_ = 0;
  std::atomic<std::uint64_t> bytesReadAhead_{0};
};

Result<std::unique_ptr<Client>> Client::create(const ClientConfig& config) {
  Result<std::unique_ptr<store::DirectoryStore>> store =
      store::DirectoryStore::open(config.storeName, config.storeRoot);
  if (!store) {
    return store.error();
  }
  const store::BackingStore& borrowed = **store;
  auto clock = std::make_unique<SystemClock>();
  const Clock& time = *clock;
  auto state = std::make_unique<State>(config, *std::move(store), borrowed, std::move(clock), time);
  if (const Status started = state->start(); !started) {
    return started.error();
  }
  return std::unique_ptr<Client>(new Client(std::move(state)));
}

Result<std::unique_ptr<Client>> Client::create(const ClientConfig& config, const store::BackingStore& store,
                                               const Clock& clock) {
  auto state = std::make_unique<State>(config, nullptr, store, nullptr, clock);
  if (const Status started = state->start(); !started) {
    return started.error();
  }
  return std::unique_ptr<Client>(new Client(std::move(state)));
}

Client::Client(std::unique_ptr<State> state) : state_(std::move(state)) {}

Client::~Client() = default;

Result<Handle> Client::open(std::string_view path, const OpenOptions& options) {
  return state_->open(path, options);
}

Result<Handle> Client::open(std::string_view path, std::unique_ptr<store::BackingFile> backing,
                            const OpenOptions& options) {
  return state_->open(path, std::move(backing), options);
}

Result<store::FileInfo> Client::stat(std::string_view path) const {
  return state_->stat(path);
}

Result<store::FileInfo> Client::stat(Handle handle) const {
  return state_->stat(handle);
}

Result<std::size_t> Client::pread(Handle handle, std::span<std::byte> into, std::uint64_t offset) {
  return state_->pread(handle, into, offset);
}

Result<std::size_t> Client::preadv(Handle handle, std::span<const std::span<std::byte>> into,
                                   std::uint64_t offset) {
  return state_->preadv(handle, into, offset);
}

std::vector<Result<std::size_t>> Client::readBatch(std::span<const BatchRead> reads) {
  return state_->readBatch(reads);
}

Result<RangeBytes> Client::probe(Handle handle, std::uint64_t offset, std::uint64_t length) {
  return state_->probe(handle, offset, length);
}

Result<RangeBytes> Client::prefetch(Handle handle, std::uint64_t offset, std::uint64_t length) {
  return state_->prefetch(handle, offset, length);
}

Status Client::close(Handle handle) {
  return state_->close(handle);
}

Result<EligibilityVerdict> Client::eligibility(Handle handle) const {
  return state_->eligibility(handle);
}

ClientStats Client::stats() const {
  return state_->stats();
}

void Client::refresh() {
  state_->refresh();
}

}  // namespace shift::client
