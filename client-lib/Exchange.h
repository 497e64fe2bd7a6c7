#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "client-lib/NodeClient.h"
#include "client-lib/ReadPlan.h"

namespace shift::client {

/** One get of a pread: what is asked, where its bytes go, and what became of it. */
struct GetTask {
  enum class Outcome {
    kPending,
    kHit,      // the bytes are in `into`
    kRefused,  // a miss
    kFailed,   // no answer, or none that makes sense
    kSkipped,  // not asked: the node is being left alone, or there is none
    kCorrupt,  // answered with bytes that are not the file's
  };
  PlannedGet get;
  std::span<std::byte> into;
  Outcome outcome = Outcome::kPending;
};

struct ExchangeOptions {
  bool verify = true;
  Duration getDeadline{};
};

/**
 * The gets of one pread that go to one node, pipelined on one connection. begin() sends, finish() receives:
 * between the two, a pread begins its exchanges with other nodes. After finish() no task is pending. One
 * thread.
 */
class Exchange {
 public:
  Exchange(NodeClient& node, const FileIdentity& file, const std::string& job, const ExchangeOptions& options,
           const Clock& clock);

  void add(GetTask& task) { tasks_.push_back(&task); }
  void begin();
  void finish();

 private:
  Status sendNext();
  Status receiveNext();
  void giveUp(GetTask::Outcome outcome);
  bool isGenuine(const GetTask& task, const wire::ReadAnswer& answer) const;

  NodeClient& node_;
  const FileIdentity& file_;
  const std::string& job_;
  const ExchangeOptions& options_;
  const Clock& clock_;
  std::vector<GetTask*> tasks_;  // a request's id is its index here
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
  std::optional<NodeConnection> connection_;
};

}  // namespace shift::client
