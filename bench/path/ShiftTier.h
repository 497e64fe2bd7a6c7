#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/path/Contestant.h"
#include "bench/path/Dataset.h"
#include "bench/path/ShiftNode.h"
#include "client-lib/Client.h"

namespace shift::bench {

struct ShiftTierConfig {
  std::string name = "Shift";
  std::string binaries;   // where shift-node is
  std::string directory;  // its own
  std::vector<std::string> nodeSettings;
  client::ClientConfig client;  // its store and ring are filled in
};

/** One node and and the client library as applications have it: one client for all threads,
 * unless more are asked for. */
class ShiftTier final : public Contestant {
 public:
  /** Returns when the node holds the whole data set. */
  ShiftTier(ShiftTierConfig config, const Dataset& dataset);

  std::string name() const override { return config_.name; }
  std::unique_ptr<Session> connect() override;
  double serverCpuSeconds() const override { return node_.cpuSeconds(); }

  /** Sessions from now on read through a client of their own, with connections of its own. */
  void useNewClient();

  /** The share of all bytes since the node was filled that did not come from it: the client gave up waiting.
   */
  double shareFromBackingStore() const;

 private:
  void fill();

  const ShiftTierConfig config_;
  const Dataset& dataset_;
  const ShiftNode node_;
  std::vector<std::unique_ptr<client::Client>> clients_;
  std::uint64_t storeBytesOfFill_ = 0;
  std::uint64_t nodeBytesOfFill_ = 0;
};

}  // namespace shift::bench
