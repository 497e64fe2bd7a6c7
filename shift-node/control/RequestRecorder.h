#pragma once

#include <atomic>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>

#include "common/Result.h"
#include "control-plane/AdmissionPolicy.h"
#include "control-plane/RequestLog.h"

namespace shift::node {

/**
 * Records requests into a file on their way to the policy that decides: it stands before that one and
 * changes nothing. `shift-sim replay` reads the file. Off until somebody starts it. Thread-safe.
 */
class RequestRecorder final : public control::AdmissionPolicy {
 public:
  /** Borrows the policy, which must outlive it. Files are made in `directory`; empty: there is no recording.
   */
  RequestRecorder(control::AdmissionPolicy& policy, std::string directory, std::string node);

  void record(const control::ReadRequest& request, TimePoint now) override;
  control::Decision decide(const control::ReadRequest& request, double evictionFloor,
                           TimePoint now) override {
    return policy_.decide(request, evictionFloor, now);
  }
  bool reinsert(const BlockId& group, TimePoint now) override { return policy_.reinsert(group, now); }

  struct Recording {
    std::string file;
    std::uint64_t requests = 0;
    std::uint64_t bytes = 0;
    std::uint64_t leftOut = 0;
  };
  /** Refused while one is under way, or if the file cannot be made. `wallMs` names the file. */
  Result<Recording> start(std::uint64_t maxBytes, std::int64_t wallMs);
  /** Refused if none is under way, or if not all of it could be written. */
  Result<Recording> stop();
  /** What is recorded now; its file is empty if nothing is. */
  Recording current() const;

  /** A piece of the recording that was stopped last; empty at its end. */
  Result<std::string> read(std::uint64_t offset, std::uint32_t length) const;

 private:
  struct Running {
    std::ofstream out;
    std::unique_ptr<control::RequestLogWriter> writer;
    Recording recording;
  };

  control::AdmissionPolicy& policy_;
  const std::string directory_;
  const std::string node_;
  std::atomic<bool> isRecording_{false};
  mutable std::mutex mutex_;
  std::unique_ptr<Running> running_;
  std::string lastFile_;
};

}  // namespace shift::node
