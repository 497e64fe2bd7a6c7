#include "shift-node/DataPlane.h"

#include <fmt/format.h>

#include <memory>

#include "backing-store/StorePath.h"
#include "blocks/Checksum.h"
#include "blocks/Geometry.h"
#include "control-plane/BucketKey.h"
#include "read-protocol/Frame.h"

namespace shift::node {
namespace {

constexpr std::uint64_t kMaxBlockSize = 4 * kGiB;
constexpr std::size_t kMaxTagLength = 256;

}  // namespace

/** One get on its way. Lives until its answer is given; its steps run one after the other, on whatever
 * thread. */
class DataPlane::Get : public std::enable_shared_from_this<Get> {
 public:
  Get(DataPlane& plane, control::ReadRequest request, TimePoint deadline, GetDone done)
      : plane_(plane),
        parts_(plane.parts_),
        request_(std::move(request)),
        deadline_(deadline),
        done_(std::move(done)),
        slices_(cutIntoSegments(request_.offset, request_.length, parts_.segmentSize)),
        segments_(slices_.size()) {}

  void start() {
    parts_.policy.record(request_, parts_.clock.now());

    std::vector<SegmentKey> keys;
    for (const SegmentSlice& slice : slices_) {
      keys.push_back({request_.block, slice.segment});
    }
    const std::vector<bool> held = parts_.engine.probe(keys);
    std::vector<std::size_t> present;
    std::vector<SegmentKey> presentKeys;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (held[i]) {
        present.push_back(i);
        presentKeys.push_back(keys[i]);
      }
    }
    // The decision comes before any read, of flash or of the backing store: a refusal costs nothing.
    if (present.size() < keys.size() && !admitted()) {
      return refuse();
    }
    if (present.empty()) {
      return fetchMissing();
    }
    parts_.engine.lookup(presentKeys, [self = shared_from_this(), present](std::vector<SegmentRef> found) {
      for (std::size_t i = 0; i < present.size(); ++i) {
        self->segments_[present[i]] = std::move(found[i]);
      }
      self->fetchMissing();
    });
  }

 private:
  /** Asked once per get; everything else follows from it. */
  bool admitted() {
    if (!decision_) {
      decision_ = parts_.policy.decide(request_, parts_.engine.evictionFloor(), parts_.clock.now());
    }
    return decision_->admit;
  }

  void fetchMissing() {
    std::vector<std::size_t> missing;
    FillRequest fill;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      if (!segments_[i]) {
        missing.push_back(i);
        fill.segments.push_back(slices_[i].segment);
      }
    }
    if (missing.empty()) {
      return answerHit();
    }
    if (!admitted()) {  // a segment that was there a moment ago is gone, or failed its check
      return refuse();
    }
    fill.read = request_;
    fill.score = decision_->score;
    fill.deadline = deadline_;
    parts_.filler.fill(std::move(fill), [self = shared_from_this(), missing](FillResult result) {
      self->fetchedBytes_ = result.fetchedBytes;
      if (result.status != FillStatus::kFilled) {
        return self->answerMiss(
            result.status == FillStatus::kBusy ? wire::ReadStatus::BUSY : wire::ReadStatus::REFUSED,
            std::move(result.reason));
      }
      for (std::size_t i = 0; i < missing.size(); ++i) {
        self->segments_[missing[i]] = std::move(result.segments[i]);
      }
      self->filled_ = true;
      self->answerHit();
    });
  }

  void answerHit() {
    GetAnswer answer{.status = wire::ReadStatus::HIT};
    for (std::size_t i = 0; i < slices_.size(); ++i) {
      const SegmentSlice& slice = slices_[i];
      if (slice.offset + slice.length > segments_[i].size) {
        return answerMiss(wire::ReadStatus::REFUSED,
                          "the cached segment is shorter than the file is said to be");
      }
      answer.slices.push_back({std::move(segments_[i]), slice.offset, slice.length});
      const AnswerSlice& part = answer.slices.back();
      const bool whole = slice.offset == 0 && slice.length == part.segment.size;
      const std::uint64_t checksum =
          whole ? part.segment.checksum
                : checksumOf({request_.block, slice.segment}, slice.offset, part.bytes());
      answer.checksums.push_back(static_cast<std::int64_t>(checksum));
    }
    (filled_ ? plane_.fills_ : plane_.hits_).add();
    plane_.servedBytes_.add(static_cast<std::int64_t>(request_.length));
    enter(filled_ ? GetRecord::Outcome::kFilled : GetRecord::Outcome::kHit, request_.length);
    done_(std::move(answer));
  }

  void refuse() { answerMiss(wire::ReadStatus::REFUSED, std::string(toString(decision_->reason))); }

  void answerMiss(wire::ReadStatus::type status, std::string reason) {
    (status == wire::ReadStatus::BUSY ? plane_.busy_ : plane_.refusals_).add();
    enter(status == wire::ReadStatus::BUSY ? GetRecord::Outcome::kFailed : GetRecord::Outcome::kRefused, 0);
    done_({.status = status, .reason = std::move(reason)});
  }

  void enter(GetRecord::Outcome outcome, std::uint64_t servedBytes) {
    parts_.ledger.record({.bucket = control::directoryBucket(request_.store, request_.path),
                          .job = request_.job,
                          .outcome = outcome,
                          .servedBytes = servedBytes,
                          .fetchedBytes = fetchedBytes_});
  }

  DataPlane& plane_;
  const Parts& parts_;
  const control::ReadRequest request_;
  const TimePoint deadline_;
  const GetDone done_;
  const std::vector<SegmentSlice> slices_;
  std::vector<SegmentRef> segments_;  // one per slice; empty until it is here
  std::optional<control::Decision> decision_;
  std::uint64_t fetchedBytes_ = 0;
  bool filled_ = false;
};

DataPlane::DataPlane(const Parts& parts, CounterRegistry& counters)
    : parts_(parts),
      hits_(counters.counter("node_get_hits_total", "Gets answered from the cache alone")),
      fills_(counters.counter("node_get_fills_total", "Gets for which missing segments were fetched")),
      refusals_(counters.counter("node_get_refused_total", "Gets answered with a miss, nothing fetched")),
      busy_(counters.counter("node_get_busy_total", "Gets turned away because of load or a passed deadline")),
      errors_(counters.counter("node_get_errors_total", "Gets that made no sense")),
      servedBytes_(counters.counter("node_served_bytes_total", "Bytes returned to clients")) {}

void DataPlane::get(const wire::GetRequest& request, TimePoint deadline, GetDone done) {
  Result<control::ReadRequest> recognised = recognise(request);
  if (!recognised) {
    errors_.add();
    return done({.status = wire::ReadStatus::ERROR, .reason = recognised.error().message});
  }
  std::make_shared<Get>(*this, *std::move(recognised), deadline, std::move(done))->start();
}

Result<control::ReadRequest> DataPlane::recognise(const wire::GetRequest& request) const {
  const auto refuse = [](std::string why) { return Error{ErrorCode::kInvalidArgument, std::move(why)}; };
  if (request.store != parts_.storeName) {
    return refuse(fmt::format("this node caches the store \"{}\"", parts_.storeName));
  }
  const Result<std::string> path = store::normalisePath(request.path);
  if (!path || *path != request.path) {
    return refuse(path ? "the path is not normalised" : path.error().message);
  }
  if (request.version.size() > kMaxTagLength || request.job.size() > kMaxTagLength) {
    return refuse(fmt::format("version and job may be {} bytes long", kMaxTagLength));
  }
  const auto blockSize = static_cast<std::uint64_t>(request.blockSize);
  if (request.blockSize <= 0 || blockSize > kMaxBlockSize || request.fileSize < 0 || request.blockIndex < 0) {
    return refuse("file size, block size or block index out of range");
  }
  const auto offset = static_cast<std::uint64_t>(request.offset);
  const auto length = static_cast<std::uint64_t>(request.length);
  const std::uint64_t lengthOfBlock = blockLength(static_cast<std::uint64_t>(request.fileSize),
                                                  static_cast<std::uint64_t>(request.blockIndex), blockSize);
  if (request.length <= 0 || length > protocol::kMaxGetLength || request.offset < 0 ||
      offset >= lengthOfBlock || length > lengthOfBlock - offset) {
    return refuse("the range does not lie within the block, or is longer than one get may be");
  }
  const BlockId block = blockIdOf(request.store, request.path, request.version, blockSize,
                                  static_cast<std::uint64_t>(request.blockIndex));
  const BlockId claimed{static_cast<std::uint64_t>(request.blockHigh),
                        static_cast<std::uint64_t>(request.blockLow)};
  if (block != claimed) {
    return refuse("the block id is not that of this path, version and index");
  }
  return control::ReadRequest{.store = request.store,
                              .path = request.path,
                              .version = request.version,
                              .job = request.job,
                              .fileSize = static_cast<std::uint64_t>(request.fileSize),
                              .blockSize = blockSize,
                              .blockIndex = static_cast<std::uint64_t>(request.blockIndex),
                              .block = block,
                              .offset = offset,
                              .length = length};
}

}  // namespace shift::node
