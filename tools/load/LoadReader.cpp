#include "tools/load/LoadReader.h"

#include <algorithm>
#include <list>
#include <memory>

namespace shift::load {
namespace {

/** So many files a reader keeps open: loaders read few at a time, and descriptors are limited. */
constexpr std::size_t kOpenFiles = 16;
/** So long a reader that waits for its next read may overlook that it should stop. */
constexpr Duration kStopCheck = std::chrono::milliseconds(100);

/** The files that were read last, open. */
class OpenFiles {
 public:
  explicit OpenFiles(const ReaderParts& parts) : parts_(parts) {}

  /** Borrowed until the next call. */
  Result<CheckedFile*> get(std::size_t file) {
    const auto known =
        std::find_if(open_.begin(), open_.end(), [file](const Entry& entry) { return entry.file == file; });
    if (known != open_.end()) {
      open_.splice(open_.begin(), open_, known);
      return open_.front().checked.get();
    }
    Result<std::unique_ptr<CheckedFile>> opened =
        CheckedFile::open(parts_.target, parts_.reference, parts_.files[file].path);
    if (!opened) {
      return opened.error();
    }
    open_.push_front({file, *std::move(opened)});
    if (open_.size() > kOpenFiles) {
      open_.pop_back();
    }
    return open_.front().checked.get();
  }

  /** Closes the file that was got last: it is to be opened anew. */
  void drop() { open_.pop_front(); }

 private:
  struct Entry {
    std::size_t file;
    std::unique_ptr<CheckedFile> checked;
  };
  const ReaderParts& parts_;
  std::list<Entry> open_;  // the latest first
};

/** False if the reader should stop instead. */
bool awaitTurn(TimePoint due, const ReaderParts& parts) {
  for (TimePoint now = parts.clock.now(); now < due && !parts.stop; now = parts.clock.now()) {
    parts.waiter.waitUntil(std::min(due, now + kStopCheck));
  }
  return !parts.stop;
}

void count(const ReadOutcome& outcome, ReaderResult& result) {
  using Kind = ReadOutcome::Kind;
  ++result.reads;
  result.bytes += outcome.bytes;
  result.wrongBytes += outcome.wrongBytes;
  result.failedReads += outcome.kind == Kind::kFailed ? 1 : 0;
  result.wrongReads += outcome.kind == Kind::kWrong ? 1 : 0;
  result.changedReads += outcome.kind == Kind::kChanged ? 1 : 0;
  const bool isFault = outcome.kind == Kind::kFailed || outcome.kind == Kind::kWrong;
  if (isFault && result.firstFault.empty()) {
    result.firstFault = outcome.fault;
  }
}

}  // namespace

void ReaderResult::merge(const ReaderResult& other) {
  latency.merge(other.latency);
  reads += other.reads;
  bytes += other.bytes;
  failedReads += other.failedReads;
  wrongReads += other.wrongReads;
  wrongBytes += other.wrongBytes;
  changedReads += other.changedReads;
  if (firstFault.empty()) {
    firstFault = other.firstFault;
  }
}

ReaderResult runReader(AccessPattern& pattern, const Schedule& schedule, const ReaderParts& parts) {
  ReaderResult result;
  OpenFiles files(parts);
  std::vector<std::byte> buffer;
  const bool isOpenLoop = schedule.interval > Duration(0);
  for (std::uint64_t n = 0; n < schedule.maxReads; ++n) {
    const std::optional<ReadRange> range = pattern.next();
    if (!range) {
      break;
    }
    const TimePoint due = isOpenLoop ? schedule.begin + static_cast<std::int64_t>(n) * schedule.interval
                                     : std::max(schedule.begin, parts.clock.now());
    if (due >= schedule.end || !awaitTurn(due, parts)) {
      break;
    }
    const Result<CheckedFile*> file = files.get(range->file);
    if (!file) {
      count({.kind = ReadOutcome::Kind::kFailed, .fault = file.error().message}, result);
      continue;
    }
    buffer.resize(std::max<std::size_t>(buffer.size(), range->length));
    const std::span<std::byte> into = std::span(buffer).first(range->length);
    const TimePoint begin = isOpenLoop ? due : parts.clock.now();
    const Result<std::size_t> got = (*file)->read(into, range->offset);
    result.latency.record(static_cast<std::uint64_t>((parts.clock.now() - begin).count()));
    const ReadOutcome outcome = (*file)->judge(got, into, range->offset);
    count(outcome, result);
    if (outcome.kind == ReadOutcome::Kind::kChanged) {
      files.drop();
    }
    ++parts.progress.reads;
    parts.progress.bytes += outcome.bytes;
  }
  return result;
}

}  // namespace shift::load
