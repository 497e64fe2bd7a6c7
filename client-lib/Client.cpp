#include "client-lib/Client.h"

#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "backing-store/DirectoryStore.h"
#include "backing-store/StorePath.h"
#include "client-lib/Exchange.h"
#include "client-lib/JobId.h"
#include "client-lib/NodeClient.h"
#include "client-lib/ReadPlan.h"
#include "read-protocol/Frame.h"
#include "ring/RingFile.h"

namespace shift::client {
namespace {

struct OpenFile {
  std::unique_ptr<store::BackingFile> backing;
  FileIdentity identity;
  std::string job;
};

/** ClientStats as it grows, from many threads. */
struct Tally {
  std::atomic<std::uint64_t> preads{0};
  std::atomic<std::uint64_t> bytesFromNodes{0};
  std::atomic<std::uint64_t> bytesFromBackingStore{0};
  std::atomic<std::uint64_t> hit{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> failed{0};
  std::atomic<std::uint64_t> skipped{0};
  std::atomic<std::uint64_t> corrupt{0};

  std::atomic<std::uint64_t>& of(GetTask::Outcome outcome) {
    switch (outcome) {
      case GetTask::Outcome::kHit:
        return hit;
      case GetTask::Outcome::kRefused:
        return refused;
      case GetTask::Outcome::kSkipped:
        return skipped;
      case GetTask::Outcome::kCorrupt:
        return corrupt;
      case GetTask::Outcome::kPending:
      case GetTask::Outcome::kFailed:
        break;
    }
    return failed;
  }
};

Error badHandle() {
  return Error::fromErrno(EBADF, "no such open file");
}

}  // namespace

class Client::State {
 public:
  State(const ClientConfig& config, ring::Ring ring, std::unique_ptr<store::BackingStore> ownStore,
        const store::BackingStore& store, std::unique_ptr<Clock> ownClock, const Clock& clock)
      : config_(config),
        ownStore_(std::move(ownStore)),
        store_(store),
        ownClock_(std::move(ownClock)),
        clock_(clock),
        ring_(std::move(ring)),
        exchangeOptions_{.verify = config.verify, .getDeadline = config.getDeadline} {
    const BreakerConfig breaker{
        .failures = config.breakerFailures, .pause = config.breakerPause, .maxPause = config.breakerMaxPause};
    for (const ring::Member& member : ring_.members()) {
      nodes_.try_emplace(&member, member.address, breaker, config.connectTimeout, clock_);
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
    auto file = std::make_shared<OpenFile>();
    file->backing = *std::move(backing);
    file->identity = {.store = store_.name(),
                      .path = *std::move(normal),
                      .version = file->backing->info().version,
                      .size = file->backing->info().size,
                      .blockSize = config_.blockSize};
    file->job = options.job.empty() ? jobIdFromEnvironment() : options.job;
    std::unique_lock lock(filesMutex_);
    const Handle handle{++lastHandle_};
    files_.emplace(handle, std::move(file));
    return handle;
  }

  Result<store::FileInfo> stat(std::string_view path) const { return store_.stat(path); }

  Status close(Handle handle) {
    std::shared_ptr<OpenFile> closed;  // a read under way keeps it open until it is done
    std::unique_lock lock(filesMutex_);
    const auto entry = files_.find(handle);
    if (entry == files_.end()) {
      return badHandle();
    }
    closed = std::move(entry->second);
    files_.erase(entry);
    return {};
  }

  /** The read path: plan, ask the nodes, read from the backing store what they did not give. */
  Result<std::size_t> pread(Handle handle, std::span<std::byte> into, std::uint64_t offset) {
    const std::shared_ptr<OpenFile> file = find(handle);
    if (file == nullptr) {
      return badHandle();
    }
    ++tally_.preads;

    std::vector<GetTask> tasks;
    for (PlannedGet& get : planRead(file->identity, offset, into.size(), protocol::kMaxGetLength, ring_)) {
      const std::span<std::byte> part = into.subspan(get.range.bufferOffset, get.range.length);
      tasks.push_back({.get = get, .into = part});
    }
    askNodes(*file, tasks);

    std::size_t done = 0;
    for (const GetTask& task : tasks) {
      ++tally_.of(task.outcome);
      if (task.outcome == GetTask::Outcome::kHit) {
        tally_.bytesFromNodes += task.into.size();
        done += task.into.size();
        continue;
      }
      const Result<std::size_t> got = file->backing->read(task.into, offset + task.get.range.bufferOffset);
      if (!got) {
        return done > 0 ? Result<std::size_t>(done) : got.error();
      }
      tally_.bytesFromBackingStore += *got;
      done += *got;
      if (*got < task.into.size()) {
        break;  // the file has become shorter: as pread does, return what there is
      }
    }
    return done;
  }

  ClientStats stats() const {
    return {.preads = tally_.preads,
            .bytesFromNodes = tally_.bytesFromNodes,
            .bytesFromBackingStore = tally_.bytesFromBackingStore,
            .getsHit = tally_.hit,
            .getsRefused = tally_.refused,
            .getsFailed = tally_.failed,
            .getsSkipped = tally_.skipped,
            .checksumMismatches = tally_.corrupt};
  }

 private:
  std::shared_ptr<OpenFile> find(Handle handle) const {
    std::shared_lock lock(filesMutex_);
    const auto entry = files_.find(handle);
    return entry == files_.end() ? nullptr : entry->second;
  }

  /** Sends to all nodes before it waits for any. Afterwards no task is pending. */
  void askNodes(const OpenFile& file, std::vector<GetTask>& tasks) {
    std::map<const ring::Member*, Exchange> exchanges;
    for (GetTask& task : tasks) {
      if (task.get.owner == nullptr) {
        task.outcome = GetTask::Outcome::kSkipped;
        continue;
      }
      exchanges
          .try_emplace(task.get.owner, nodes_.at(task.get.owner), file.identity, file.job, exchangeOptions_,
                       clock_)
          .first->second.add(task);
    }
    for (auto& [member, exchange] : exchanges) {
      exchange.begin();
    }
    for (auto& [member, exchange] : exchanges) {
      exchange.finish();
    }
  }

  const ClientConfig config_;
  const std::unique_ptr<store::BackingStore> ownStore_;
  const store::BackingStore& store_;
  const std::unique_ptr<Clock> ownClock_;
  const Clock& clock_;
  const ring::Ring ring_;
  const ExchangeOptions exchangeOptions_;
  std::map<const ring::Member*, NodeClient> nodes_;

  mutable std::shared_mutex filesMutex_;
  std::unordered_map<Handle, std::shared_ptr<OpenFile>> files_;
  std::uint64_t lastHandle_ = 0;
  Tally tally_;
};

namespace {

Result<ring::Ring> ringOf(const ClientConfig& config) {
  return config.ringFile.empty() ? Result<ring::Ring>(ring::Ring()) : ring::readRingFile(config.ringFile);
}

}  // namespace

Result<std::unique_ptr<Client>> Client::create(const ClientConfig& config) {
  Result<std::unique_ptr<store::DirectoryStore>> store =
      store::DirectoryStore::open(config.storeName, config.storeRoot);
  if (!store) {
    return store.error();
  }
  Result<ring::Ring> ring = ringOf(config);
  if (!ring) {
    return ring.error();
  }
  const store::BackingStore& borrowed = **store;
  auto clock = std::make_unique<SystemClock>();
  const Clock& time = *clock;
  return std::unique_ptr<Client>(new Client(std::make_unique<State>(
      config, *std::move(ring), *std::move(store), borrowed, std::move(clock), time)));
}

Result<std::unique_ptr<Client>> Client::create(const ClientConfig& config, const store::BackingStore& store,
                                               const Clock& clock) {
  Result<ring::Ring> ring = ringOf(config);
  if (!ring) {
    return ring.error();
  }
  return std::unique_ptr<Client>(
      new Client(std::make_unique<State>(config, *std::move(ring), nullptr, store, nullptr, clock)));
}

Client::Client(std::unique_ptr<State> state) : state_(std::move(state)) {}

Client::~Client() = default;

Result<Handle> Client::open(std::string_view path, const OpenOptions& options) {
  return state_->open(path, options);
}

Result<store::FileInfo> Client::stat(std::string_view path) const {
  return state_->stat(path);
}

Result<std::size_t> Client::pread(Handle handle, std::span<std::byte> into, std::uint64_t offset) {
  return state_->pread(handle, into, offset);
}

Status Client::close(Handle handle) {
  return state_->close(handle);
}

ClientStats Client::stats() const {
  return state_->stats();
}

}  // namespace shift::client
