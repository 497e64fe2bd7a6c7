#include "shift-node/AdminService.h"

#include <cmath>

#include "backing-store/StorePath.h"
#include "blocks/Geometry.h"

namespace shift::node {
namespace {

std::int64_t number(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

std::vector<wire::Traffic> toWire(const TrafficLedger::ByName& sums) {
  std::vector<wire::Traffic> rows;
  for (const auto& [name, sum] : sums) {
    wire::Traffic row;
    row.__set_name(name);
    row.__set_requests(number(sum.requests));
    row.__set_hits(number(sum.hits));
    row.__set_fills(number(sum.fills));
    row.__set_refusals(number(sum.refusals));
    row.__set_servedBytes(number(sum.servedBytes));
    row.__set_fetchedBytes(number(sum.fetchedBytes));
    rows.push_back(std::move(row));
  }
  return rows;
}

wire::Refused refused(const std::vector<std::string>& faults) {
  wire::Refused refusal;
  refusal.__set_faults(faults);
  return refusal;
}

const char* const kAdmitsAll =
    "this node admits everything; start it with a policy.name other than \"admit-all\"";

wire::Explanation toWire(const control::Explanation& from) {
  wire::Explanation to;
  to.__set_policy(from.policy);
  to.__set_bucket(from.bucket);
  to.__set_totalBytes(from.totalBytes);
  to.__set_uniqueBytes(from.uniqueBytes);
  to.__set_historic(from.historic);
  to.__set_future(from.future);
  to.__set_hybrid(from.hybrid);
  to.__set_priority(from.priority);
  if (std::isfinite(from.thresholds.admit)) {
    to.__set_admitThreshold(from.thresholds.admit);
    to.__set_reinsertThreshold(from.thresholds.reinsert);
  }
  if (std::isfinite(from.thresholds.horizonSeconds)) {
    to.__set_horizonSeconds(from.thresholds.horizonSeconds);
  }
  if (!from.nextUseIsGuess) {
    to.__set_secondsToNextUse(from.secondsToNextUse);
  }
  to.__set_knownReaders(static_cast<std::int32_t>(from.knownReaders));
  to.__set_roomLeft(std::isinf(from.evictionFloor));
  to.__set_admit(from.decision.admit);
  to.__set_reason(std::string(control::toString(from.decision.reason)));
  to.__set_words(from.inWords());
  return to;
}

}  // namespace

void AdminService::getStatus(wire::NodeStatus& status) {
  const EngineStatus engine = parts_.engine.status();
  status.__set_id(parts_.id);
  status.__set_engine(engine.name);
  status.__set_capacityBytes(number(engine.capacityBytes));
  status.__set_usedBytes(number(engine.usedBytes));
  status.__set_segments(number(engine.segments));
  status.__set_segmentSize(static_cast<std::int32_t>(parts_.segmentSize));
  status.__set_policy(parts_.plane == nullptr ? "admit-all" : parts_.plane->parameters().policy);
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
  traffic = toWire(parts_.ledger.byBucket());
}

void AdminService::getTrafficByJob(std::vector<wire::Traffic>& traffic) {
  traffic = toWire(parts_.ledger.byJob());
}

void AdminService::getParameters(std::vector<wire::NodeParameter>& parameters) {
  if (parts_.parameters == nullptr) {
    return;
  }
  for (const ConfigSchema::Setting& setting : parts_.parameters->settings()) {
    wire::NodeParameter row;
    row.__set_name(setting.key);
    row.__set_value(setting.value);
    row.__set_help(setting.help);
    parameters.push_back(std::move(row));
  }
}

void AdminService::setParameters(const std::map<std::string, std::string>& values) {
  const std::vector<std::string> faults =
      parts_.parameters == nullptr ? std::vector<std::string>{kAdmitsAll} : parts_.parameters->set(values);
  if (!faults.empty()) {
    throw refused(faults);
  }
}

void AdminService::explain(wire::Explanation& explanation, const std::string& path, std::int64_t offset,
                           const std::string& job) {
  if (parts_.plane == nullptr) {
    throw refused({kAdmitsAll});
  }
  const Result<std::string> normal = store::normalisePath(path);
  if (!normal) {
    throw refused({normal.error().message});
  }
  const Result<store::FileInfo> info = parts_.store.stat(*normal);
  if (!info) {
    throw refused({info.error().message});
  }
  if (offset < 0 || (offset > 0 && static_cast<std::uint64_t>(offset) >= info->size)) {
    throw refused({"offset " + std::to_string(offset) + " is not within the file"});
  }
  const auto at = static_cast<std::uint64_t>(offset);
  control::ReadRequest request{.store = parts_.store.name(),
                               .path = *normal,
                               .version = info->version,
                               .job = job,
                               .fileSize = info->size,
                               .blockSize = parts_.blockSize,
                               .blockIndex = at / parts_.blockSize,
                               .block = {},
                               .offset = at % parts_.blockSize,
                               .length = 1};
  request.block =
      blockIdOf(request.store, request.path, request.version, request.blockSize, request.blockIndex);
  explanation = toWire(parts_.plane->explain(request, parts_.engine.evictionFloor(), parts_.clock.now()));
}

}  // namespace shift::node
