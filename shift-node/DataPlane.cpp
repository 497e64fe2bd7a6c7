#include "shift-node/DataPlane.h"

#include <algorithm>
#include <memory>

#include "blocks/Checksum.h"
#include "blocks/Geometry.h"
#include "control-plane/BucketKey.h"
#include "shift-node/RecogniseRead.h"

namespace shift::node {
namespace {

/** The keys of all segments that a range touches. */
std::vector<SegmentKey> keysOf(const BlockId& block, std::span<const SegmentSlice> slices) {
  std::vector<SegmentKey> keys;
  keys.reserve(slices.size());
  for (const SegmentSlice& slice : slices) {
    keys.push_back({block, slice.segment});
  }
  return keys;
}

bool areAll(const std::vector<bool>& held) {
  return std::find(held.begin(), held.end(), false) == held.end();
}

GetRecord recordOf(const control::ReadRequest& read, GetRecord::Outcome outcome, std::uint64_t servedBytes,
                   std::uint64_t fetchedBytes) {
  return {.bucket = control::directoryBucket(read.store, read.path),
          .job = read.job,
          .outcome = outcome,
          .servedBytes = servedBytes,
          .fetchedBytes = fetchedBytes,
          .requestedBytes = outcome == GetRecord::Outcome::kPrefetched ? 0 : read.length};
}

/** Whether the range is made of whole segments: only their checksums are known without a look at the bytes.
 */
bool isWhole(const control::ReadRequest& read, std::uint32_t segmentSize) {
  const std::uint64_t end = read.offset + read.length;
  return read.offset % segmentSize == 0 &&
         (end % segmentSize == 0 || end == blockLength(read.fileSize, read.blockIndex, read.blockSize));
}

Check checkFor(const wire::GetRequest& request, const control::ReadRequest& read, std::uint32_t segmentSize) {
  if (request.verifier == wire::Verifier::NODE_ANEW) {
    return Check::kAnew;
  }
  const bool isLeftToClient = request.verifier == wire::Verifier::CLIENT && isWhole(read, segmentSize);
  return isLeftToClient ? Check::kLeftToCaller : Check::kOnce;
}

/** The bytes of a range and their checksums, out of the segments that it touches; false if one is too short,
 * or is to be cut and nobody has verified it.
 */
bool gather(const BlockId& block, std::span<const SegmentSlice> slices, std::span<SegmentRef> segments,
            GetAnswer& answer) {
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const SegmentSlice& slice = slices[i];
    if (slice.offset + slice.length > segments[i].size) {
      return false;
    }
    answer.slices.push_back({std::move(segments[i]), slice.offset, slice.length});
    const AnswerSlice& part = answer.slices.back();
    const bool isUncut = slice.offset == 0 && slice.length == part.segment.size;
    if (!isUncut && !part.segment.isVerified) {
      return false;
    }
    const std::uint64_t checksum =
        isUncut ? part.segment.checksum : checksumOf({block, slice.segment}, slice.offset, part.bytes());
    answer.checksums.push_back(static_cast<std::int64_t>(checksum));
  }
  return true;
}

}  // namespace

/** One get on its way. Lives until its answer is given; its steps run one after the other, on whatever
 * thread. */
class DataPlane::Get : public std::enable_shared_from_this<Get> {
 public:
  Get(DataPlane& plane, control::ReadRequest request, Check check, TimePoint deadline, GetDone done,
      GetFilling filling)
      : plane_(plane),
        parts_(plane.parts_),
        request_(std::move(request)),
        check_(check),
        deadline_(deadline),
        done_(std::move(done)),
        filling_(std::move(filling)),
        slices_(cutIntoSegments(request_.offset, request_.length, parts_.segmentSize)),
        segments_(slices_.size()) {}

  void start() {
    began_ = parts_.clock.now();
    parts_.policy.record(request_, began_);

    const std::vector<SegmentKey> keys = keysOf(request_.block, slices_);
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
    parts_.engine.lookup(presentKeys, check_,
                         [self = shared_from_this(), present](std::vector<SegmentRef> found) {
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
    if (filling_) {
      filling_();
    }
    parts_.filler.fill(std::move(fill), [self = shared_from_this(), missing](FillResult result) {
      self->fetchedBytes_ = result.fetchedBytes;
      if (result.status != FillStatus::kFilled) {
        self->plane_.counters_.failed(result.status, self->took());
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
    const Tier tier = slowestTier();
    if (!gather(request_.block, slices_, segments_, answer)) {
      plane_.counters_.tooShort(took());
      return answerMiss(wire::ReadStatus::REFUSED,
                        "the cached segment is not as long as the file is said to be");
    }
    if (filled_) {
      plane_.counters_.filled(request_.length, took());
    } else {
      plane_.counters_.hit(tier, request_.length, took());
    }
    enter(filled_ ? GetRecord::Outcome::kFilled : GetRecord::Outcome::kHit, request_.length);
    done_(std::move(answer));
  }

  void refuse() {
    plane_.counters_.refused(decision_->reason, took());
    answerMiss(wire::ReadStatus::REFUSED, std::string(toString(decision_->reason)));
  }

  void answerMiss(wire::ReadStatus::type status, std::string reason) {
    enter(status == wire::ReadStatus::BUSY ? GetRecord::Outcome::kFailed : GetRecord::Outcome::kRefused, 0);
    done_({.status = status, .reason = std::move(reason)});
  }

  void enter(GetRecord::Outcome outcome, std::uint64_t servedBytes) {
    parts_.ledger.record(recordOf(request_, outcome, servedBytes, fetchedBytes_));
  }

  Duration took() const { return parts_.clock.now() - began_; }

  Tier slowestTier() const {
    const bool isFromFlash = std::any_of(segments_.begin(), segments_.end(), [](const SegmentRef& segment) {
      return segment.tier == Tier::kFlash;
    });
    return isFromFlash ? Tier::kFlash : Tier::kDram;
  }

  DataPlane& plane_;
  const Parts& parts_;
  const control::ReadRequest request_;
  const Check check_;
  const TimePoint deadline_;
  const GetDone done_;
  const GetFilling filling_;
  const std::vector<SegmentSlice> slices_;
  std::vector<SegmentRef> segments_;  // one per slice; empty until it is here
  std::optional<control::Decision> decision_;
  TimePoint began_;
  std::uint64_t fetchedBytes_ = 0;
  bool filled_ = false;
};

DataPlane::DataPlane(const Parts& parts, CounterRegistry& counters) : parts_(parts), counters_(counters) {}

void DataPlane::get(const wire::GetRequest& request, TimePoint deadline, GetDone done, GetFilling filling) {
  Result<control::ReadRequest> recognised = recogniseRead(request, parts_.storeName);
  if (!recognised) {
    counters_.invalid();
    return done({.status = wire::ReadStatus::ERROR, .reason = recognised.error().message});
  }
  const Check check = checkFor(request, *recognised, parts_.segmentSize);
  std::make_shared<Get>(*this, *std::move(recognised), check, deadline, std::move(done), std::move(filling))
      ->start();
}

void DataPlane::getChecksum(const wire::GetRequest& request, GetDone done) {
  const Result<control::ReadRequest> read = recogniseRead(request, parts_.storeName);
  if (!read) {
    counters_.invalid();
    return done({.status = wire::ReadStatus::ERROR, .reason = read.error().message});
  }
  const GetAnswer absent{.status = wire::ReadStatus::REFUSED, .reason = "not all of it is cached"};
  std::vector<SegmentSlice> slices = cutIntoSegments(read->offset, read->length, parts_.segmentSize);
  const std::vector<SegmentKey> keys = keysOf(read->block, slices);
  if (!areAll(parts_.engine.probe(keys))) {
    return done(absent);
  }
  parts_.engine.lookup(keys, Check::kOnce,
                       [slices = std::move(slices), block = read->block, absent,
                        done = std::move(done)](std::vector<SegmentRef> found) {
                         GetAnswer answer{.status = wire::ReadStatus::HIT};
                         const bool isComplete = gather(block, slices, found, answer);
                         answer.slices.clear();
                         done(isComplete ? answer : absent);
                       });
}

wire::RangeOutcome::type DataPlane::probe(const wire::GetRequest& request) const {
  const Result<control::ReadRequest> read = recogniseRead(request, parts_.storeName);
  if (!read) {
    return wire::RangeOutcome::ERROR;
  }
  const auto slices = cutIntoSegments(read->offset, read->length, parts_.segmentSize);
  return areAll(parts_.engine.probe(keysOf(read->block, slices))) ? wire::RangeOutcome::PRESENT
                                                                  : wire::RangeOutcome::ABSENT;
}

wire::RangeOutcome::type DataPlane::prefetch(const wire::GetRequest& request) {
  const Result<control::ReadRequest> read = recogniseRead(request, parts_.storeName);
  if (!read) {
    return wire::RangeOutcome::ERROR;
  }
  const auto slices = cutIntoSegments(read->offset, read->length, parts_.segmentSize);
  const std::vector<bool> held = parts_.engine.probe(keysOf(read->block, slices));
  if (areAll(held)) {
    return wire::RangeOutcome::PRESENT;
  }
  const control::Decision decision =
      parts_.policy.decide(*read, parts_.engine.evictionFloor(), parts_.clock.now());
  if (!decision.admit) {
    return wire::RangeOutcome::REFUSED;
  }
  FillRequest fill{.read = *read, .score = decision.score, .deadline = TimePoint::max(), .isPrefetch = true};
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (!held[i]) {
      fill.segments.push_back(slices[i].segment);
    }
  }
  // Nobody waits for it, so it may end after the data plane itself: it holds on to the ledger only.
  const auto account = [&ledger = parts_.ledger, read = *read](const FillResult& result) {
    if (result.fetchedBytes > 0) {
      ledger.record(recordOf(read, GetRecord::Outcome::kPrefetched, 0, result.fetchedBytes));
    }
  };
  const bool isQueued = parts_.filler.fill(std::move(fill), account);
  return isQueued ? wire::RangeOutcome::QUEUED : wire::RangeOutcome::BUSY;
}

}  // namespace shift::node
