#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/support/ClusterFixture.h"

namespace shift::test {

/** Real programs that know nothing of Shift, and nodes that serve what they read. */
class PreloadFixture : public ClusterFixture {
 protected:
  /** Starts nodes, and configures the client without read-ahead: each byte is then asked for once. */
  void startTier(std::uint32_t nodes);
  void configureClient(const std::string& readAheadWindow);

  /** Runs a command with the library, or without it. Further words "NAME=value" are set for it. */
  Outcome runPreloaded(const std::vector<std::string>& command,
                       const std::vector<std::string>& environment = {}) const;
  Outcome runPlainly(const std::vector<std::string>& command) const;
  /** The first, for a program that is to be watched while it runs. */
  std::unique_ptr<tools::ChildProcess> startPreloaded(const std::vector<std::string>& command) const;

  /** A command of preload_probe, whose verbs are in Probe.h. */
  static std::vector<std::string> probe(std::vector<std::string> arguments);

  /** The path of a file of the store, as programs know it. */
  std::string stored(const std::string& path) const { return directory_ / ("store/" + path); }

  /** Bytes that all nodes returned to clients so far. */
  std::int64_t servedBytes() const;

  /** The jobs on whose account the nodes served. */
  std::set<std::string> jobs() const;

  static std::string contentOf(const std::string& path);

 private:
  std::vector<std::string> preloadedCommand(const std::vector<std::string>& command,
                                            const std::vector<std::string>& environment) const;
};

}  // namespace shift::test
