#include "tools/cluster/LocalCluster.h"

#include <csignal>
#include <fstream>
#include <sstream>

#include "ring/RingFile.h"
#include "tools/cluster/LastingPort.h"

namespace shift::tools {
namespace {

using std::chrono::seconds;

constexpr Duration kStartTimeout = seconds(30);
constexpr Duration kStopTimeout = seconds(20);

// What a node keeps from one start to the next.
constexpr const char* kStateFile = ".state";
constexpr const char* kSnapshotFile = ".gms";
constexpr const char* kCacheFile = ".cache";

/** The value of `key=value` in a line of such words; empty if it is not there. */
std::string valueOf(const std::string& line, const std::string& key) {
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.starts_with(key + "=")) {
      return word.substr(key.size() + 1);
    }
  }
  return "";
}

std::vector<std::string> commandWith(const std::string& program, const std::vector<std::string>& settings) {
  std::vector<std::string> command{program};
  for (const std::string& setting : settings) {
    command.push_back("--set");
    command.push_back(setting);
  }
  return command;
}

std::string lastWordsIn(const std::string& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    last = line.empty() ? last : line;
  }
  return last.empty() ? "it said nothing" : last;
}

}  // namespace

Result<std::unique_ptr<LocalCluster>> LocalCluster::start(const LocalClusterConfig& config,
                                                          const Clock& clock) {
  std::error_code fault;
  std::filesystem::create_directories(config.directory, fault);
  if (fault) {
    return Error::fromErrno(fault.value(), "making " + config.directory);
  }
  std::unique_ptr<LocalCluster> cluster(new LocalCluster(config, clock));
  cluster->gms_.name = "gms";
  cluster->gms_.listen = lastingPort();
  cluster->gms_.http = lastingPort();
  const Status gms = cluster->launch(cluster->gms_, cluster->gmsCommand());
  if (!gms) {
    return gms.error();
  }
  const std::vector<std::vector<std::string>> noneOfTheirOwn(config.nodes);
  if (const Status started = cluster->replaceNodes(noneOfTheirOwn); !started) {
    return started.error();
  }
  return cluster;
}

LocalCluster::~LocalCluster() {
  const Status ignored = stop();
}

std::string LocalCluster::ringFile() const {
  return config_.directory + "/ring.toml";
}

Status LocalCluster::restartNode(std::size_t index) {
  nodes_.at(index).process.reset();
  return launch(nodes_.at(index), nodeCommand(index));
}

Status LocalCluster::replaceNodes(const std::vector<std::vector<std::string>>& settings) {
  std::vector<Server*> old;
  for (Server& node : nodes_) {
    old.push_back(&node);
  }
  if (const Status ended = end(old); !ended) {
    return ended;
  }
  while (nodes_.size() < settings.size()) {
    newNode();
  }
  nodes_.resize(settings.size());
  for (std::size_t i = 0; i < settings.size(); ++i) {
    nodes_[i].settings = settings[i];
    for (const char* const kind : {kStateFile, kSnapshotFile, kCacheFile}) {
      std::error_code fault;
      std::filesystem::remove(fileOf(nodes_[i], kind), fault);
      if (fault) {
        return Error::fromErrno(fault.value(), "removing " + fileOf(nodes_[i], kind));
      }
    }
  }
  if (const Status written = writeRing(); !written) {
    return written;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (const Status started = launch(nodes_[i], nodeCommand(i)); !started) {
      return started;
    }
  }
  return writeRing();
}

Status LocalCluster::addNode() {
  const std::size_t index = nodes_.size();
  newNode();
  const Status started = launch(nodes_[index], nodeCommand(index));
  return started ? writeRing() : started;
}

Status LocalCluster::setInRing(std::size_t index, bool isInRing) {
  nodes_.at(index).isInRing = isInRing;
  return writeRing();
}

void LocalCluster::newNode() {
  Server& node = nodes_.emplace_back();
  node.name = "node-" + std::to_string(nodes_.size());
  node.listen = lastingPort();
  node.admin = lastingPort();
  node.metrics = lastingPort();
}

Status LocalCluster::restartGms() {
  gms_.process.reset();
  return launch(gms_, gmsCommand());
}

Status LocalCluster::stop() {
  std::vector<Server*> servers;
  for (Server& node : nodes_) {
    servers.push_back(&node);
  }
  servers.push_back(&gms_);
  return end(servers);
}

Status LocalCluster::end(const std::vector<Server*>& servers) {
  std::string faults;
  for (Server* server : servers) {
    if (server->process != nullptr) {
      server->process->signal(SIGTERM);
    }
  }
  for (Server* server : servers) {
    if (server->process == nullptr) {
      continue;
    }
    const std::optional<int> code = server->process->wait(kStopTimeout);
    if (code != 0) {
      faults += (faults.empty() ? "" : "; ") + server->name +
                (code ? " ended with code " + std::to_string(*code) : " did not stop in time");
    }
    server->process.reset();
  }
  return faults.empty() ? Status() : Status(Error{ErrorCode::kIo, faults});
}

Status LocalCluster::launch(Server& server, const std::vector<std::string>& command) {
  Result<std::unique_ptr<ChildProcess>> process = ChildProcess::start(command, logFile(server.name));
  if (!process) {
    return process.error();
  }
  const Result<std::string> line = (*process)->readLine(clock_, kStartTimeout);
  if (!line || !line->starts_with("ready ")) {
    return Error{ErrorCode::kUnavailable,
                 server.name + " did not start: " + lastWordsIn(logFile(server.name))};
  }
  const Result<HostPort> listen = parseHostPort(valueOf(*line, "listen"));
  if (!listen) {
    return listen.error();
  }
  server.listen = *listen;
  if (const Result<HostPort> admin = parseHostPort(valueOf(*line, "admin"))) {
    server.admin = *admin;
  }
  if (const Result<HostPort> metrics = parseHostPort(valueOf(*line, "metrics"))) {
    server.metrics = *metrics;
  }
  if (const Result<HostPort> http = parseHostPort(valueOf(*line, "http"))) {
    server.http = *http;
  }
  server.process = *std::move(process);
  return {};
}

std::vector<std::string> LocalCluster::nodeCommand(std::size_t index) const {
  const Server& node = nodes_.at(index);
  std::vector<std::string> settings{"metrics_listen=" + toString(node.metrics)};
  settings.insert(settings.end(), config_.nodeSettings.begin(), config_.nodeSettings.end());
  settings.insert(settings.end(), node.settings.begin(), node.settings.end());
  settings.push_back("id=" + node.name);
  settings.push_back("listen=" + toString(node.listen));
  settings.push_back("admin_listen=" + toString(node.admin));
  settings.push_back("store.name=" + config_.storeName);
  settings.push_back("store.root=" + config_.storeRoot);
  settings.push_back("state_file=" + fileOf(node, kStateFile));
  settings.push_back("trace.directory=" + config_.directory);
  if (config_.followGms) {
    settings.push_back("gms.address=" + toString(gms_.listen));
    settings.push_back("gms.snapshot_file=" + fileOf(node, kSnapshotFile));
    settings.push_back("ring.file=" + ringFile());
  }
  if (config_.flashPerNode > 0) {
    settings.push_back("cache.flash_files=" + fileOf(node, kCacheFile));
    settings.push_back("cache.flash=" + std::to_string(config_.flashPerNode));
  }
  return commandWith(config_.binaries + "/shift-node", settings);
}

std::vector<std::string> LocalCluster::gmsCommand() const {
  std::vector<std::string> settings{"listen=" + toString(gms_.listen), "http_listen=" + toString(gms_.http),
                                    "database=" + config_.directory + "/gms.sqlite",
                                    "store.name=" + config_.storeName, "store.root=" + config_.storeRoot};
  settings.insert(settings.end(), config_.gmsSettings.begin(), config_.gmsSettings.end());
  return commandWith(config_.binaries + "/shift-gms", settings);
}

Status LocalCluster::writeRing() const {
  std::vector<ring::Member> members;
  for (const Server& node : nodes_) {
    if (node.isInRing) {
      members.push_back({.id = node.name, .address = node.listen, .weight = 1, .admin = node.admin});
    }
  }
  // Put in place whole: clients look at it while it changes.
  const std::string fresh = ringFile() + ".new";
  std::ofstream ring(fresh);
  ring << ring::formatRingFile(ring::Ring(std::move(members)));
  ring.close();
  std::error_code fault;
  if (ring) {
    std::filesystem::rename(fresh, ringFile(), fault);
  }
  return ring && !fault ? Status() : Status(Error{ErrorCode::kIo, "cannot write " + ringFile()});
}

std::string LocalCluster::fileOf(const Server& server, const char* kind) const {
  return config_.directory + "/" + server.name + kind;
}

std::string LocalCluster::logFile(const std::string& name) const {
  return config_.directory + "/" + name + ".log";
}

}  // namespace shift::tools
