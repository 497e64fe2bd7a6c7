#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "client-lib/AnswerCheck.h"
#include "client-lib/NodeClient.h"
#include "client-lib/OpenFile.h"
#include "client-lib/ReadPlan.h"

namespace shift::client {

/** One get of a read: what is asked, where its bytes go, and what became of it. */
struct GetTask {
  enum class Outcome {
    kPending,
    kHit,      // the bytes are in `into`
    kRefused,  // a miss
    kFailed,   // no answer, or none that makes sense
    kSkipped,  // not asked: the node is being left alone, or there is none
    kHedged,   // the answer took unusually long and was not waited for
    kCorrupt,  // answered with bytes that are not the file's
  };
  const OpenFile* file = nullptr;
  PlannedGet get;
  std::span<std::byte> into;
  Outcome outcome = Outcome::kPending;
  bool isFilling = false;  // the node said that it is fetching it
  bool isDoubted = false;  // its bytes did not pass when it was asked for before
};

struct ExchangeOptions {
  bool verify = true;
  Duration getDeadline{};
  /** A node is given at least this long, and longer where its answers usually take longer. */
  Duration hedgeAfter{};
  /** Asked before so many gets are given up for the backing store's sake. */
  std::function<bool(std::size_t)> mayHedge;
};

/** The request for one task. */
wire::GetRequest requestFor(const OpenFile& file, const PlannedGet& get);

/**
 * The gets of one read that go to one node, pipelined on one connection. begin() sends, finish() receives:
 * between the two, a read begins its exchanges with other nodes. After finish() no task is pending. One
 * thread.
 */
class Exchange {
 public:
  Exchange(NodeClient& node, const ExchangeOptions& options, const Clock& clock);

  void add(GetTask& task) { tasks_.push_back(&task); }
  void begin();
  void finish();

 private:
  Status sendMore();
  std::string nextBatch();
  wire::Verifier::type verifierOf(const GetTask& task) const;
  Status receiveNext();
  bool isTakingTooLong();
  void fail(GetTask::Outcome outcome);
  void giveUp(GetTask::Outcome outcome);

  NodeClient& node_;
  const ExchangeOptions& options_;
  const Clock& clock_;
  std::vector<GetTask*> tasks_;  // a request's id is its index here
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
  TimePoint waitingSince_;
  std::optional<NodeConnection> connection_;
  AnswerCheck check_;
};

}  // namespace shift::client
