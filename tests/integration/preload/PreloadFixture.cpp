#include "tests/integration/preload/PreloadFixture.h"

#include <fstream>
#include <sstream>

#include "shift-node/AdminClient.h"

namespace shift::test {

void PreloadFixture::startTier(std::uint32_t nodes) {
  startCluster(nodes);
  configureClient("0B");
}

void PreloadFixture::configureClient(const std::string& readAheadWindow) {
  // On a busy machine a slow answer must not look like a dead node.
  directory_.write("client.toml", "read_ahead.window = \"" + readAheadWindow +
                                      "\"\n"
                                      "block_size = \"1MiB\"\n"
                                      "get_deadline = \"60s\"\n"
                                      "connect_timeout = \"30s\"\n"
                                      "hedge.share = 0.0\n"
                                      "[store]\nname = \"warehouse\"\nroot = \"" +
                                      (directory_ / "store") + "\"\n[ring]\nfile = \"" +
                                      cluster_->ringFile() + "\"\n");
}

std::vector<std::string> PreloadFixture::preloadedCommand(const std::vector<std::string>& command,
                                                          const std::vector<std::string>& environment) const {
  std::vector<std::string> whole{"/usr/bin/env", std::string("LD_PRELOAD=") + SHIFT_PRELOAD_LIBRARY,
                                 "SHIFT_CONFIG=" + (directory_ / "client.toml"),
                                 "SHIFT_PRELOAD_PREFIX=" + (directory_ / "store"),
                                 "SHIFT_JOB_ID=preload-test"};
  whole.insert(whole.end(), environment.begin(), environment.end());
  whole.insert(whole.end(), command.begin(), command.end());
  return whole;
}

ClusterFixture::Outcome PreloadFixture::runPreloaded(const std::vector<std::string>& command,
                                                     const std::vector<std::string>& environment) const {
  return run(preloadedCommand(command, environment));
}

ClusterFixture::Outcome PreloadFixture::runPlainly(const std::vector<std::string>& command) const {
  std::vector<std::string> whole{"/usr/bin/env"};
  whole.insert(whole.end(), command.begin(), command.end());
  return run(whole);
}

std::unique_ptr<tools::ChildProcess> PreloadFixture::startPreloaded(
    const std::vector<std::string>& command) const {
  return *tools::ChildProcess::start(preloadedCommand(command, {}), directory_ / "said");
}

std::vector<std::string> PreloadFixture::probe(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), SHIFT_PRELOAD_PROBE);
  return arguments;
}

std::int64_t PreloadFixture::servedBytes() const {
  std::int64_t served = 0;
  for (std::size_t i = 0; i < cluster_->size(); ++i) {
    served += counter(i, "node_served_bytes_total");
  }
  return served;
}

std::set<std::string> PreloadFixture::jobs() const {
  std::set<std::string> names;
  for (std::size_t i = 0; i < cluster_->size(); ++i) {
    node::AdminClient admin(cluster_->adminAddress(i), std::chrono::seconds(30));
    const auto traffic = admin.trafficByJob();
    EXPECT_TRUE(traffic) << traffic.error().message;
    for (const wire::Traffic& one : *traffic) {
      names.insert(one.name);
    }
  }
  return names;
}

std::string PreloadFixture::contentOf(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

}  // namespace shift::test
