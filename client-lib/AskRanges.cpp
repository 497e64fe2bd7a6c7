#include "client-lib/AskRanges.h"

#include <map>

#include "client-lib/Exchange.h"

namespace shift::client {
namespace {

/** It is only a wish: a node that does not take it at once is left alone. */
constexpr Duration kPatience = std::chrono::milliseconds(250);
/** Ranges in one request: with the longest of paths they still fit its frame. */
constexpr std::size_t kBatch = 12;

std::uint64_t& countOf(RangeBytes& bytes, std::int32_t outcome) {
  switch (outcome) {
    case wire::RangeOutcome::PRESENT:
      return bytes.present;
    case wire::RangeOutcome::ABSENT:
      return bytes.absent;
    case wire::RangeOutcome::QUEUED:
      return bytes.queued;
    case wire::RangeOutcome::REFUSED:
      return bytes.refused;
    case wire::RangeOutcome::BUSY:
      return bytes.busy;
    default:
      return bytes.unanswered;
  }
}

/** Nothing if the node gave no answer that makes sense. */
Result<wire::BatchAnswer> exchange(NodeClient& node, const wire::BatchRequest& batch,
                                   protocol::FrameKind kind, const Clock& clock) {
  const Error away{ErrorCode::kUnavailable, "no answer"};
  if (!node.worthTrying()) {
    return away;
  }
  const TimePoint deadline = clock.now() + kPatience;
  Result<NodeConnection> connection = node.connect();
  if (!connection || !connection->send(protocol::encodeBatch(batch, kind), deadline)) {
    node.failed();
    return away;
  }
  Result<wire::BatchAnswer> answer = connection->receiveBatchAnswer(deadline);
  if (!answer || answer->outcomes.size() != batch.gets.size()) {
    node.failed();
    return away;
  }
  node.succeeded(*std::move(connection));
  return answer;
}

}  // namespace

RangeBytes askRanges(const ClusterView& view, const OpenFile& file, std::uint64_t offset,
                     std::uint64_t length, protocol::FrameKind kind, const Clock& clock) {
  RangeBytes told;
  std::map<NodeClient*, wire::BatchRequest> batches;
  const auto ask = [&](NodeClient& node, wire::BatchRequest& batch) {
    const Result<wire::BatchAnswer> answer = exchange(node, batch, kind, clock);
    for (std::size_t i = 0; i < batch.gets.size(); ++i) {
      const std::int32_t outcome = answer ? answer->outcomes[i] : wire::RangeOutcome::ERROR;
      countOf(told, outcome) += static_cast<std::uint64_t>(batch.gets[i].length);
    }
    batch.gets.clear();
  };
  for (const PlannedGet& get : planRead(file.identity, offset, length, protocol::kMaxGetLength, view.ring)) {
    NodeClient* const node = get.owner == nullptr ? nullptr : view.nodes.at(get.owner).get();
    if (node == nullptr) {
      told.unanswered += get.range.length;
      continue;
    }
    wire::BatchRequest& batch = batches[node];
    batch.gets.push_back(requestFor(file, get));
    if (batch.gets.size() == kBatch) {
      ask(*node, batch);
    }
  }
  for (auto& [node, batch] : batches) {
    if (!batch.gets.empty()) {
      ask(*node, batch);
    }
  }
  return told;
}

}  // namespace shift::client
