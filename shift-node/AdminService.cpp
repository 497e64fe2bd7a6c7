#include "shift-node/AdminService.h"

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

}  // namespace

void AdminService::getStatus(wire::NodeStatus& status) {
  const EngineStatus engine = parts_.engine.status();
  status.__set_id(parts_.id);
  status.__set_engine(engine.name);
  status.__set_capacityBytes(number(engine.capacityBytes));
  status.__set_usedBytes(number(engine.usedBytes));
  status.__set_segments(number(engine.segments));
  status.__set_segmentSize(static_cast<std::int32_t>(parts_.segmentSize));
  status.__set_policy(parts_.policy);
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

}  // namespace shift::node
