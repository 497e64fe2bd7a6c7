#pragma once

#include <mutex>
#include <thread>
#include <vector>

#include "bench/path/Contestant.h"
#include "bench/path/Dataset.h"
#include "common/FileDescriptor.h"
#include "common/HostPort.h"

namespace shift::bench {

/** What a request of the bare loop says: as long as the prefix of one of ours. */
struct BareRequest {
  std::uint64_t item = 0;
  std::uint64_t length = 0;
};

/**
 * The limit: a thread for each connection that takes a request of 16 bytes and sends that many bytes from
 * memory, and nothing else. Serves in this process.
 */
class BareLoop final : public Contestant {
 public:
  /** Item i is answered with item i % `hot`: 1 is one buffer that stays in the processor's cache, as many as
   * the data set has are the data set. */
  BareLoop(const Dataset& dataset, std::size_t hot);
  /** All sessions must have ended. */
  ~BareLoop() override;

  std::string name() const override;
  std::unique_ptr<Session> connect() override;
  double serverCpuSeconds() const override { return 0; }

 private:
  void accept();
  void serve(FileDescriptor socket) const;

  const Dataset& dataset_;
  const std::size_t hot_;
  FileDescriptor listener_;
  HostPort address_;
  std::vector<std::thread> servers_;  // of the accepting thread, until it has ended
  std::thread acceptor_;
};

}  // namespace shift::bench
