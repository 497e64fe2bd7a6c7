#include "client-lib/Reader.h"

#include <map>

#include "client-lib/AskRanges.h"

namespace shift::client {
namespace {

EligibilityVerdict verdictOn(const ClusterView& view, const OpenFile& file) {
  return view.eligibility.decide(
      {.store = file.identity.store, .path = file.identity.path, .tag = file.tag, .jobClass = file.jobClass});
}

/** "store:directory", of what is before one of the path's slashes; the whole store if there is none. */
std::string directoryBefore(std::size_t slash, const FileIdentity& file) {
  return file.store + ':' + (slash == std::string::npos ? "" : file.path.substr(0, slash));
}

}  // namespace

Reader::Reader(const ClientConfig& config, const ClusterWatcher& watcher, PastCache& past, Shadow& shadow,
               const Clock& clock)
    : config_(config),
      watcher_(watcher),
      past_(past),
      shadow_(shadow),
      clock_(clock),
      exchangeOptions_{.verify = config.verify,
                       .getDeadline = config.getDeadline,
                       .hedgeAfter = config.hedgeAfter,
                       .mayHedge = config.hedgeShare > 0
                                       ? std::function([this](std::size_t gets) { return mayHedge(gets); })
                                       : std::function<bool(std::size_t)>()},
      hedgeBudget_(config.hedgeShare) {}

void Reader::read(std::span<ReadItem> items) {
  const std::shared_ptr<const ClusterView> view = watcher_.view();
  tally_.preads += items.size();

  // 1. What is not eligible goes past the cache; the rest is cut into gets, each for the block's owner.
  std::vector<Plan> plans;
  std::vector<GetTask> tasks;
  for (const ReadItem& item : items) {
    EligibilityVerdict verdict = verdictOn(*view, *item.file);
    plans.push_back({tasks.size(), tasks.size(), !verdict.eligible, std::move(verdict.table)});
    if (plans.back().isPast) {
      continue;
    }
    for (const PlannedGet& get :
         planRead(item.file->identity, item.offset, item.into.size(), protocol::kMaxGetLength, view->ring)) {
      tasks.push_back({.file = item.file,
                       .get = get,
                       .into = item.into.subspan(get.range.bufferOffset, get.range.length)});
    }
    plans.back().end = tasks.size();
  }

  // 2. The nodes: all of them are asked before any is waited for. What does not pass is asked for once more:
  // the node then looks at its own copy, and drops it if that is spoilt.
  askNodes(*view, tasks);
  if (doubtCorrupt(tasks) > 0) {
    askNodes(*view, tasks);
  }

  // 3. The backing store, for what they did not give.
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (plans[i].isPast) {
      readPast(items[i], plans[i].table);
    } else {
      complete(items[i], std::span(tasks).subspan(plans[i].begin, plans[i].end - plans[i].begin));
    }
  }
}

void Reader::askNodes(const ClusterView& view, std::span<GetTask> tasks) {
  std::map<NodeClient*, Exchange> exchanges;
  for (GetTask& task : tasks) {
    if (task.outcome != GetTask::Outcome::kPending) {
      continue;
    }
    NodeClient* const node = task.get.owner == nullptr ? nullptr : view.nodes.at(task.get.owner).get();
    if (node == nullptr) {
      task.outcome = GetTask::Outcome::kSkipped;
      continue;
    }
    exchanges.try_emplace(node, *node, exchangeOptions_, clock_).first->second.add(task);
  }
  if (exchangeOptions_.mayHedge) {
    std::lock_guard lock(hedgeMutex_);
    hedgeBudget_.earn(tasks.size());
  }
  for (auto& [node, exchange] : exchanges) {
    exchange.begin();
  }
  for (auto& [node, exchange] : exchanges) {
    exchange.finish();
  }
}

std::size_t Reader::doubtCorrupt(std::span<GetTask> tasks) {
  std::size_t corrupt = 0;
  for (GetTask& task : tasks) {
    if (task.outcome == GetTask::Outcome::kCorrupt) {
      task.outcome = GetTask::Outcome::kPending;
      task.isDoubted = true;
      task.isFilling = false;
      ++corrupt;
    }
  }
  tally_.corrupt += corrupt;
  return corrupt;
}

/** Neighbouring ranges that no node gave are one read of the backing store. */
void Reader::complete(ReadItem& item, std::span<const GetTask> tasks) {
  for (std::size_t i = 0; i < tasks.size();) {
    ++tally_.of(tasks[i].outcome);
    if (tasks[i].outcome == GetTask::Outcome::kHit) {
      tally_.bytesFromNodes += tasks[i].into.size();
      shadow_.offer(item.file->identity, item.offset + item.done, tasks[i].into);
      item.done += tasks[i].into.size();
      ++i;
      continue;
    }
    std::span<std::byte> missing = tasks[i].into;
    for (++i; i < tasks.size() && tasks[i].outcome != GetTask::Outcome::kHit; ++i) {
      ++tally_.of(tasks[i].outcome);
      missing = {missing.data(), missing.size() + tasks[i].into.size()};
    }
    const Result<std::size_t> got = item.file->backing->read(missing, item.offset + item.done);
    if (!got) {
      if (item.done == 0) {
        item.error = got.error();
      }
      return;
    }
    tally_.bytesFromBackingStore += *got;
    item.done += *got;
    if (*got < missing.size()) {
      return;  // the file has become shorter: as pread does, return what there is
    }
  }
}

void Reader::readPast(ReadItem& item, const std::string& table) {
  const Result<std::size_t> got = item.file->backing->read(item.into, item.offset);
  if (!got) {
    item.error = got.error();
    return;
  }
  item.done = *got;
  tally_.bytesPastCache += *got;
  const FileIdentity& file = item.file->identity;
  // Where no table is known, the first directory stands for one.
  past_.add(table.empty() ? directoryBefore(file.path.find('/'), file) : table,
            directoryBefore(file.path.rfind('/'), file), *got);
}

bool Reader::mayHedge(std::size_t gets) {
  std::lock_guard lock(hedgeMutex_);
  return hedgeBudget_.spend(gets);
}

RangeBytes Reader::prefetch(const OpenFile& file, std::uint64_t offset, std::uint64_t length) {
  return askNodesAbout(file, offset, length, protocol::FrameKind::kPrefetch);
}

RangeBytes Reader::probe(const OpenFile& file, std::uint64_t offset, std::uint64_t length) {
  return askNodesAbout(file, offset, length, protocol::FrameKind::kProbe);
}

RangeBytes Reader::askNodesAbout(const OpenFile& file, std::uint64_t offset, std::uint64_t length,
                                 protocol::FrameKind kind) const {
  const std::shared_ptr<const ClusterView> view = watcher_.view();
  if (!verdictOn(*view, file).eligible) {
    return {.notEligible = length};
  }
  return askRanges(*view, file, offset, length, kind, clock_);
}

EligibilityVerdict Reader::eligibilityOf(const OpenFile& file) const {
  return verdictOn(*watcher_.view(), file);
}

ClientStats Reader::stats() const {
  return {.preads = tally_.preads,
          .bytesFromNodes = tally_.bytesFromNodes,
          .bytesFromBackingStore = tally_.bytesFromBackingStore,
          .bytesPastCache = tally_.bytesPastCache,
          .getsHit = tally_.hit,
          .getsRefused = tally_.refused,
          .getsFailed = tally_.failed,
          .getsSkipped = tally_.skipped,
          .getsHedged = tally_.hedged,
          .checksumMismatches = tally_.corrupt,
          .pastCacheByTable = past_.byTable()};
}

std::atomic<std::uint64_t>& Reader::Tally::of(GetTask::Outcome outcome) {
  switch (outcome) {
    case GetTask::Outcome::kHit:
      return hit;
    case GetTask::Outcome::kRefused:
      return refused;
    case GetTask::Outcome::kSkipped:
      return skipped;
    case GetTask::Outcome::kHedged:
      return hedged;
    case GetTask::Outcome::kCorrupt:
      return corrupt;
    case GetTask::Outcome::kPending:
    case GetTask::Outcome::kFailed:
      break;
  }
  return failed;
}

}  // namespace shift::client
