#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
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

/** The bytes that a request is answered with; they stay until the next call. One for each connection. */
using BareSource = std::function<std::span<const std::byte>(const BareRequest&)>;

/**
 * The limit: a thread for each connection that takes a request of 16 bytes and sends that many bytes, and
 * nothing else. Serves in this process.
 */
class BareLoop final : public Contestant {
 public:
  /** Always the same item, which stays in the processor's cache. */
  static std::unique_ptr<BareLoop> ofOneItem(const Dataset& dataset);
  /** The item asked for, from memory. */
  static std::unique_ptr<BareLoop> ofAll(const Dataset& dataset);
  /** The item asked for, read past the page cache, in one piece, into one buffer for each connection. */
  static std::unique_ptr<BareLoop> fromDisk(const Dataset& dataset);

  BareLoop(std::string name, std::function<BareSource()> makeSource);
  /** All sessions must have ended. */
  ~BareLoop() override;

  std::string name() const override { return name_; }
  std::unique_ptr<Session> connect() override;
  double serverCpuSeconds() const override { return 0; }

 private:
  void accept();
  void serve(FileDescriptor socket) const;

  const std::string name_;
  const std::function<BareSource()> makeSource_;
  FileDescriptor listener_;
  HostPort address_;
  std::vector<std::thread> servers_;  // of the accepting thread, until it has ended
  std::thread acceptor_;
};

}  // namespace shift::bench
