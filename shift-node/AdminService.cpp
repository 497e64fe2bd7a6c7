#include "shift-node/AdminService.h"

#include <algorithm>
#include <cmath>

#include "backing-store/StorePath.h"
#include "blocks/Geometry.h"
#include "common/Log.h"
#include "common/WallMilliseconds.h"
#include "shift-node/AdminWire.h"

namespace shift::node {
namespace {

constexpr std::int32_t kMaxTracePiece = 4 << 20;

wire::Refused refusal(const std::vector<std::string>& faults) {
  wire::Refused refused;
  refused.__set_faults(faults);
  return refused;
}

void refuseIfAny(const std::vector<std::string>& faults) {
  if (!faults.empty()) {
    throw refusal(faults);
  }
}

/** The value, or its error as a refusal. */
template <typename T>
T valueOf(Result<T> result) {
  if (!result) {
    throw refusal({result.error().message});
  }
  return *std::move(result);
}

std::vector<wire::Traffic> rowsOf(const TrafficLedger::ByName& sums) {
  std::vector<wire::Traffic> rows;
  rows.reserve(sums.size());
  for (const auto& [name, sum] : sums) {
    rows.push_back(toWire(name, sum));
  }
  return rows;
}

}  // namespace

void AdminService::getStatus(wire::NodeStatus& status) {
  const EngineStatus engine = parts_.engine.status();
  const NodeHistory& history = parts_.history;
  const ActivityPoint now = history.now();
  const control::Parameters parameters = parts_.plane.parameters();
  status.__set_id(parts_.id);
  status.__set_engine(engine.name);
  status.__set_capacityBytes(static_cast<std::int64_t>(engine.capacityBytes));
  status.__set_usedBytes(static_cast<std::int64_t>(engine.usedBytes));
  status.__set_segments(static_cast<std::int64_t>(engine.segments));
  status.__set_segmentSize(static_cast<std::int32_t>(parts_.segmentSize));
  status.__set_policy(parameters.policy);
  status.__set_address(toString(parts_.address));
  status.__set_store(parts_.store.name());
  status.__set_lastMinute(toWire(history.log().before(now.at, std::chrono::minutes(1)), now));
  status.__set_lastHour(toWire(history.log().before(now.at, std::chrono::hours(1)), now));
  status.__set_sinceStart(toWire(history.start(), now));
  status.__set_writeLimit(static_cast<std::int64_t>(parameters.writeLimit));
  if (std::isfinite(now.thresholds.admit)) {
    status.__set_admitThreshold(now.thresholds.admit);
  }
  if (std::isfinite(now.thresholds.horizonSeconds)) {
    status.__set_horizonSeconds(now.thresholds.horizonSeconds);
  }
  status.__set_flashWrittenBytes(static_cast<std::int64_t>(history.flashWrittenBytes()));
  status.__set_flashEndurance(static_cast<std::int64_t>(parts_.flashEndurance));
  status.__set_devices(static_cast<std::int32_t>(engine.devices.size()));
  status.__set_devicesInUse(
      static_cast<std::int32_t>(std::ranges::count_if(engine.devices, &DeviceStatus::isInUse)));
  status.__set_followsGms(parts_.gmsAnswers != nullptr);
  status.__set_gmsAnswers(parts_.gmsAnswers != nullptr && parts_.gmsAnswers());
  if (const NodeHistory::Arm arm = history.arm(); !arm.name.empty()) {
    wire::ExperimentArm told;
    told.__set_name(arm.name);
    told.__set_activity(toWire(arm.joined, now));
    told.__set_sinceRestart(arm.isSinceRestart);
    status.__set_arm(told);
  }
  if (const RequestRecorder::Recording recording = parts_.recorder.current(); !recording.file.empty()) {
    status.__set_trace(recording.file);
  }
}

void AdminService::getCounters(std::vector<wire::NodeCounter>& counters) {
  for (const CounterValue& counter : parts_.counters.snapshot()) {
    wire::NodeCounter row;
    row.__set_name(counter.name);
    row.__set_help(counter.help);
    row.__set_value(counter.value);
    counters.push_back(std::move(row));
  }
}

void AdminService::getTrafficByBucket(std::vector<wire::Traffic>& traffic) {
  traffic = rowsOf(parts_.ledger.byBucket());
}

void AdminService::getTrafficByJob(std::vector<wire::Traffic>& traffic) {
  traffic = rowsOf(parts_.ledger.byJob());
}

void AdminService::getBuckets(std::vector<wire::BucketView>& buckets, std::int32_t limit) {
  std::vector<wire::Traffic> rows = rowsOf(parts_.ledger.byBucket());
  std::ranges::stable_sort(rows, std::ranges::greater(), &wire::Traffic::requests);
  if (limit > 0 && rows.size() > static_cast<std::size_t>(limit)) {
    rows.resize(static_cast<std::size_t>(limit));
  }
  for (const wire::Traffic& row : rows) {
    buckets.push_back(toWire(row, parts_.plane.describe(row.name)));
  }
}

void AdminService::getHistory(std::vector<wire::HistoryPoint>& points, std::int64_t afterMs) {
  for (const ActivityPoint& point : parts_.history.log().after(afterMs)) {
    points.push_back(toHistoryPoint(parts_.history.start(), point));
  }
}

void AdminService::getParameters(std::vector<wire::NodeParameter>& parameters) {
  for (const LiveParameters::Setting& setting : parts_.parameters.settings()) {
    parameters.push_back(toWire(setting));
  }
}

void AdminService::setParameters(const std::map<std::string, std::string>& values, bool dryRun) {
  refuseIfAny(dryRun ? parts_.parameters.check(values) : parts_.parameters.set(values));
  for (const auto& [name, value] : dryRun ? std::map<std::string, std::string>() : values) {
    logInfo("set at this node: " + name + " = " + value);
  }
}

void AdminService::resetParameters(const std::vector<std::string>& names) {
  refuseIfAny(parts_.parameters.reset(names));
  logInfo("no longer set at this node: " + (names.empty() ? std::string("all that was") : names.front()) +
          (names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more" : ""));
}

control::ReadRequest AdminService::requestAt(const std::string& path, std::int64_t offset) const {
  const std::string normal = valueOf(store::normalisePath(path));
  const store::FileInfo info = valueOf(parts_.store.stat(normal));
  if (offset < 0 || (offset > 0 && static_cast<std::uint64_t>(offset) >= info.size)) {
    throw refusal({"offset " + std::to_string(offset) + " is not within the file, which has " +
                   std::to_string(info.size) + " bytes"});
  }
  const auto at = static_cast<std::uint64_t>(offset);
  control::ReadRequest request{.store = parts_.store.name(),
                               .path = normal,
                               .version = info.version,
                               .job = "",
                               .fileSize = info.size,
                               .blockSize = parts_.blockSize,
                               .blockIndex = at / parts_.blockSize,
                               .block = {},
                               .offset = at % parts_.blockSize,
                               .length = 1};
  request.block =
      blockIdOf(request.store, request.path, request.version, request.blockSize, request.blockIndex);
  return request;
}

void AdminService::explain(wire::Explanation& explanation, const std::string& path, std::int64_t offset,
                           const std::string& job) {
  control::ReadRequest request = requestAt(path, offset);
  request.job = job;
  explanation = toWire(parts_.plane.explain(request, parts_.engine.evictionFloor(), parts_.clock.now()));
}

void AdminService::locate(wire::BlockPlace& place, const std::string& path, std::int64_t offset) {
  const control::ReadRequest request = requestAt(path, offset);
  const std::uint64_t length = blockLength(request.fileSize, request.blockIndex, request.blockSize);
  place.__set_path(request.path);
  place.__set_version(request.version);
  place.__set_fileSize(static_cast<std::int64_t>(request.fileSize));
  place.__set_blockIndex(static_cast<std::int64_t>(request.blockIndex));
  place.__set_blockOffset(static_cast<std::int64_t>(request.blockIndex * request.blockSize));
  place.__set_blockLength(static_cast<std::int64_t>(length));
  place.__set_blockIdHigh(static_cast<std::int64_t>(request.block.high));
  place.__set_blockIdLow(static_cast<std::int64_t>(request.block.low));
  place.__set_cachedBytes(static_cast<std::int64_t>(parts_.keeper.cachedBytes(request.block, length)));
}

void AdminService::startTrace(wire::TraceInfo& info, std::int64_t maxBytes) {
  if (maxBytes <= 0) {
    throw refusal({"the limit of a recording must be above 0 bytes"});
  }
  info = toWire(
      valueOf(parts_.recorder.start(static_cast<std::uint64_t>(maxBytes), wallMilliseconds(parts_.clock))));
}

void AdminService::stopTrace(wire::TraceInfo& info) {
  info = toWire(valueOf(parts_.recorder.stop()));
}

void AdminService::readTrace(std::string& piece, std::int64_t offset, std::int32_t length) {
  if (offset < 0 || length <= 0 || length > kMaxTracePiece) {
    throw refusal({"a piece of a recording has from 1 to " + std::to_string(kMaxTracePiece) + " bytes"});
  }
  piece =
      valueOf(parts_.recorder.read(static_cast<std::uint64_t>(offset), static_cast<std::uint32_t>(length)));
}

void AdminService::evict(wire::Eviction& eviction, const std::string& path) {
  eviction = toWire(path.empty() ? parts_.keeper.evictAll() : valueOf(parts_.keeper.evict(path)));
  logInfo("evicted by hand: " + (path.empty() ? std::string("everything") : path));
}

void AdminService::flushCache() {
  if (const Status flushed = parts_.engine.flush(); !flushed) {
    throw refusal({flushed.error().message});
  }
}

void AdminService::verifyCache(wire::Verification& verification, const std::string& cursor) {
  verification = toWire(valueOf(parts_.keeper.verify(cursor)));
}

}  // namespace shift::node
