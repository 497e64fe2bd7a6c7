#include "shift-node/NodeHistory.h"

#include "common/Log.h"
#include "common/WallMilliseconds.h"

namespace shift::node {
namespace {

/** What a kill may cost of the count of bytes written: a minute's. */
constexpr unsigned kSamplesPerSave = 12;
/** An arm that is joined so soon after the start was, in all likelihood, joined by an earlier process. */
constexpr Duration kStartup = std::chrono::seconds(5);

}  // namespace

NodeHistory::NodeHistory(const Parts& parts, const NodeState& before)
    : parts_(parts), writtenBefore_(before.flashWrittenBytes), start_(now()), log_(start_), saved_(before) {}

void NodeHistory::sample() {
  log_.add(now());
  if (++samples_ % kSamplesPerSave == 0) {
    save();
  }
}

void NodeHistory::parametersChanged() {
  {
    std::lock_guard lock(mutex_);
    if (std::string name = parts_.parameters.arm(); name != arm_.name) {
      ActivityPoint joined = now();
      const bool isSinceRestart = joined.at - start_.at < kStartup;
      arm_ = {.name = std::move(name), .joined = joined, .isSinceRestart = isSinceRestart};
    }
  }
  save();
}

void NodeHistory::save() {
  if (parts_.stateFile.empty()) {
    return;
  }
  std::lock_guard lock(saveMutex_);
  NodeState state{.parameters = parts_.parameters.live(), .flashWrittenBytes = flashWrittenBytes()};
  if (state == saved_) {
    return;
  }
  if (const Status written = saveState(parts_.stateFile, state); !written) {
    logWarning("state_file: " + written.error().message);
    return;
  }
  saved_ = std::move(state);
}

ActivityPoint NodeHistory::now() const {
  const EngineStatus engine = parts_.engine.status();
  return {.at = parts_.clock.now(),
          .wallMs = wallMilliseconds(parts_.clock),
          .traffic = parts_.ledger.total(),
          .engine = engine.totals,
          .usedBytes = engine.usedBytes,
          .thresholds = parts_.plane.thresholds()};
}

NodeHistory::Arm NodeHistory::arm() const {
  std::lock_guard lock(mutex_);
  return arm_;
}

std::uint64_t NodeHistory::flashWrittenBytes() const {
  const EngineTotals totals = parts_.engine.status().totals;
  return writtenBefore_ + totals.admittedBytes + totals.reinsertedBytes + totals.metadataBytes;
}

}  // namespace shift::node
