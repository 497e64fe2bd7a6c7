#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"
#include "common/Result.h"
#include "tools/cluster/ChildProcess.h"

namespace shift::tools {

struct LocalClusterConfig {
  std::string binaries;   // directory with shift-node and shift-gms
  std::string directory;  // for configuration, logs, the database and caches; made if absent
  std::string storeName = "demo";
  std::string storeRoot;
  std::uint32_t nodes = 3;
  /** Each node's flash, in a file in `directory`; 0: memory only. */
  std::uint64_t flashPerNode = 0;
  /** Whether nodes know the GMS and the ring, as a policy other than admit-all needs them. */
  bool followGms = false;
  /** More lines for every node's `--set`. */
  std::vector<std::string> nodeSettings;
  /** More lines for the GMS's `--set`. */
  std::vector<std::string> gmsSettings;
};

/**
 * A whole tier on the loopback interface, of real processes: one GMS and some nodes, on free ports, and the
 * ring file that clients need. For the demo and for tests. The destructor stops all of it. Not thread-safe.
 */
class LocalCluster {
 public:
  /** Returns when every process serves. The error holds the last words of the one that does not. */
  static Result<std::unique_ptr<LocalCluster>> start(const LocalClusterConfig& config, const Clock& clock);
  ~LocalCluster();

  const HostPort& gmsAddress() const { return gms_.listen; }
  const HostPort& gmsHttpAddress() const { return gms_.http; }
  ChildProcess& gms() { return *gms_.process; }
  std::string ringFile() const;
  /** The address of the n-th node's read protocol, and of its admin service. */
  const HostPort& nodeAddress(std::size_t node) const { return nodes_.at(node).listen; }
  const HostPort& adminAddress(std::size_t node) const { return nodes_.at(node).admin; }
  /** Where the n-th node's metrics are, unless its settings say that it has none. */
  const HostPort& metricsAddress(std::size_t node) const { return nodes_.at(node).metrics; }
  std::size_t size() const { return nodes_.size(); }
  const std::string& nodeName(std::size_t node) const { return nodes_.at(node).name; }
  ChildProcess& node(std::size_t index) { return *nodes_.at(index).process; }

  /** Starts a node again on its old address, after it was stopped or killed. */
  Status restartNode(std::size_t index);
  /** The same of the GMS. */
  Status restartGms();

  /**
   * Has so many nodes run, each with settings of its own beside the configuration's, and nothing from before:
   * those that ran are stopped and what they had stored is removed. Names and addresses stay the same, so
   * that the same node owns the same blocks.
   */
  Status replaceNodes(const std::vector<std::vector<std::string>>& settings);

  /** Starts one node more and takes it into the ring. */
  Status addNode();
  /** Takes a node out of the ring or back into it; its process goes on. */
  Status setInRing(std::size_t index, bool isInRing);

  /** Asks all to stop and waits. The error names whoever did not end well. */
  Status stop();

 private:
  struct Server {
    std::string name;
    std::unique_ptr<ChildProcess> process;
    std::vector<std::string> settings;  // of its own
    HostPort listen;
    HostPort admin;    // of a node
    HostPort metrics;  // of a node
    HostPort http;     // of the GMS
    bool isInRing = true;
  };
  LocalCluster(const LocalClusterConfig& config, const Clock& clock) : config_(config), clock_(clock) {}

  void newNode();
  static Status end(const std::vector<Server*>& servers);
  Status launch(Server& server, const std::vector<std::string>& command);
  std::vector<std::string> nodeCommand(std::size_t index) const;
  std::vector<std::string> gmsCommand() const;
  /** Members with the addresses known so far: who owns what follows from their names alone. */
  Status writeRing() const;
  std::string fileOf(const Server& server, const char* kind) const;
  std::string logFile(const std::string& name) const;

  const LocalClusterConfig config_;
  const Clock& clock_;
  Server gms_;
  std::vector<Server> nodes_;
};

}  // namespace shift::tools
