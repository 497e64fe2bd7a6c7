#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/Counters.h"
#include "control-plane/AdmissionPolicy.h"
#include "shift-node/Filler.h"
#include "shift-node/GetCounters.h"
#include "shift-node/TrafficLedger.h"
#include "shift-node/engine/Engine.h"
#include "thrift/read_types.h"

namespace shift::node {

/** The part of one segment that goes into an answer. */
struct AnswerSlice {
  SegmentRef segment;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;

  std::span<const std::byte> bytes() const { return segment.bytes().subspan(offset, length); }
};

struct GetAnswer {
  wire::ReadStatus::type status = wire::ReadStatus::ERROR;
  std::string reason;                   // why it is not a hit
  std::vector<AnswerSlice> slices;      // of a hit, in order
  std::vector<std::int64_t> checksums;  // one per slice
};

using GetDone = std::function<void(GetAnswer)>;
/** Called at most once, before the answer, when the backing store has to be read for it. */
using GetFilling = std::function<void()>;

/**
 * A node's side of a read. get() is the read path, top to bottom, in DataPlane.cpp: recognise, record, look
 * up, decide, fetch, answer. Thread-safe; borrows all its parts, which must outlive it and every get under
 * way.
 */
class DataPlane {
 public:
  struct Parts {
    std::string storeName;
    std::uint32_t segmentSize = 0;
    Engine& engine;
    control::AdmissionPolicy& policy;
    Filler& filler;
    TrafficLedger& ledger;
    const Clock& clock;
  };
  DataPlane(const Parts& parts, CounterRegistry& counters);

  /** `done` is called exactly once, on any thread, possibly before get() returns. */
  void get(const wire::GetRequest& request, TimePoint deadline, GetDone done, GetFilling filling = {});

  /** The checksums of what a get would return, if all of it is cached; nothing is fetched, recorded or sent.
   */
  void getChecksum(const wire::GetRequest& request, GetDone done);

  /** Whether the whole range is cached. */
  wire::RangeOutcome::type probe(const wire::GetRequest& request) const;

  /** Brings the range in if it is admitted, after everything that somebody waits for. Not a read: it is not
   * recorded as one. */
  wire::RangeOutcome::type prefetch(const wire::GetRequest& request);

 private:
  class Get;

  const Parts parts_;
  GetCounters counters_;
};

}  // namespace shift::node
