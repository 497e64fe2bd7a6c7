#include "tests/support/ClusterFixture.h"

#include <fstream>
#include <sstream>

#include "shift-node/AdminClient.h"

namespace shift::test {

using std::chrono::seconds;

std::string binaryDirectory() {
  return SHIFT_BINARY_DIRECTORY;
}

void ClusterFixture::startCluster(std::uint32_t nodes, std::vector<std::string> nodeSettings, bool followGms,
                                  std::vector<std::string> gmsSettings) {
  std::filesystem::create_directories(directory_ / "store");
  auto cluster = tools::LocalCluster::start({.binaries = binaryDirectory(),
                                             .directory = directory_ / "cluster",
                                             .storeName = "warehouse",
                                             .storeRoot = directory_ / "store",
                                             .nodes = nodes,
                                             .followGms = followGms,
                                             .nodeSettings = std::move(nodeSettings),
                                             .gmsSettings = std::move(gmsSettings)},
                                            clock_);
  ASSERT_TRUE(cluster) << cluster.error().message;
  cluster_ = *std::move(cluster);
}

std::string ClusterFixture::addFile(const std::string& path, std::size_t size, unsigned seed) {
  std::string content = patternedBytes(size, seed);
  directory_.write("store/" + path, content);
  return content;
}

client::ClientConfig ClusterFixture::clientConfig() const {
  client::ClientConfig config;
  config.storeName = "warehouse";
  config.storeRoot = directory_ / "store";
  config.ringFile = cluster_->ringFile();
  config.blockSize = kMiB;  // so that small files spread over the ring
  // On a busy machine a slow answer must not look like a dead node.
  config.getDeadline = seconds(60);
  config.connectTimeout = seconds(30);
  config.hedgeShare = 0;
  return config;
}

std::unique_ptr<client::Client> ClusterFixture::newClient() const {
  auto client = client::Client::create(clientConfig());
  EXPECT_TRUE(client) << client.error().message;
  return *std::move(client);
}

std::string ClusterFixture::readWhole(client::Client& client, const std::string& path, std::size_t readSize,
                                      const std::string& job) {
  const Result<client::Handle> file = client.open(path, {.job = job});
  EXPECT_TRUE(file) << file.error().message;
  std::string whole;
  std::string buffer(readSize, '?');
  for (;;) {
    const Result<std::size_t> got =
        client.pread(*file, std::as_writable_bytes(std::span(buffer)), whole.size());
    EXPECT_TRUE(got) << got.error().message;
    if (!got || *got == 0) {
      break;
    }
    whole.append(buffer, 0, *got);
  }
  EXPECT_TRUE(client.close(*file));
  return whole;
}

ClusterFixture::Outcome ClusterFixture::run(const std::string& program,
                                            const std::vector<std::string>& arguments) const {
  std::vector<std::string> command{binaryDirectory() + "/" + program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command);
}

ClusterFixture::Outcome ClusterFixture::run(const std::vector<std::string>& command) const {
  const std::string log = directory_ / "said";
  std::filesystem::remove(log);
  const auto process = *tools::ChildProcess::start(command, log);
  Outcome outcome;
  for (;;) {
    const Result<std::string> line = process->readLine(clock_, seconds(60));
    if (!line) {
      break;  // the end of its output
    }
    outcome.printed += *line + "\n";
  }
  outcome.code = process->wait(seconds(60));
  std::ostringstream said;
  said << std::ifstream(log).rdbuf();
  outcome.said = said.str();
  return outcome;
}

std::int64_t ClusterFixture::counter(std::size_t node, const std::string& name) const {
  node::AdminClient admin(cluster_->adminAddress(node), seconds(30));
  const auto counters = admin.counters();
  EXPECT_TRUE(counters) << counters.error().message;
  for (const wire::NodeCounter& one : *counters) {
    if (one.name == name) {
      return one.value;
    }
  }
  ADD_FAILURE() << "no counter " << name;
  return -1;
}

}  // namespace shift::test
