#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client-lib/Client.h"
#include "common/Clock.h"
#include "tests/support/TemporaryDirectory.h"
#include "tools/cluster/LocalCluster.h"

namespace shift::test {

/** The directory of the programs under test, as the build tells it. */
std::string binaryDirectory();

/** Real processes on loopback, a store with files in it, and clients that read through them. */
class ClusterFixture : public testing::Test {
 protected:
  /** Starts a GMS and nodes whose settings are these. */
  void startCluster(std::uint32_t nodes, std::vector<std::string> nodeSettings = {}, bool followGms = false,
                    std::vector<std::string> gmsSettings = {});

  /** Writes a file into the store; returns its content. */
  std::string addFile(const std::string& path, std::size_t size, unsigned seed);

  client::ClientConfig clientConfig() const;
  std::unique_ptr<client::Client> newClient() const;

  /** The whole file, read through a client in reads of `readSize`. */
  static std::string readWhole(client::Client& client, const std::string& path, std::size_t readSize,
                               const std::string& job = "");

  /** How a program ended, and what it printed to standard output and to standard error. */
  struct Outcome {
    std::optional<int> code;
    std::string printed;
    std::string said;
  };
  /** Runs one of the programs under test that is expected to end by itself. */
  Outcome run(const std::string& program, const std::vector<std::string>& arguments) const;
  /** The same of any program, by its whole path. */
  Outcome run(const std::vector<std::string>& command) const;

  /** One counter of a node. */
  std::int64_t counter(std::size_t node, const std::string& name) const;

  const SystemClock clock_;
  TemporaryDirectory directory_;
  std::unique_ptr<tools::LocalCluster> cluster_;
};

}  // namespace shift::test
