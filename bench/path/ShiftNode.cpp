#include "bench/path/ShiftNode.h"

#include <fstream>
#include <stdexcept>

#include "ring/RingFile.h"

namespace shift::bench {
namespace {

std::vector<std::string> commandOf(const std::string& binaries, const std::string& storeRoot,
                                   const std::vector<std::string>& more, const HostPort& listen) {
  std::vector<std::string> settings{
      "listen=" + toString(listen), "admin_listen=127.0.0.1:0", "metrics_listen=127.0.0.1:0",
      std::string("store.name=") + ShiftNode::kStoreName, "store.root=" + storeRoot};
  settings.insert(settings.end(), more.begin(), more.end());
  std::vector<std::string> command{binaries + "/shift-node"};
  for (const std::string& setting : settings) {
    command.insert(command.end(), {"--set", setting});
  }
  return command;
}

}  // namespace

ShiftNode::ShiftNode(const std::string& binaries, const std::string& directory, const std::string& storeRoot,
                     const std::vector<std::string>& settings)
    : storeRoot_(storeRoot),
      daemon_(directory, "shift-node",
              [&](const HostPort& listen) { return commandOf(binaries, storeRoot, settings, listen); }),
      ringFile_(directory + "/ring.toml") {
  std::ofstream(ringFile_) << ring::formatRingFile(
      ring::Ring({ring::Member{.id = "node", .address = daemon_.address()}}));
}

std::unique_ptr<client::Client> ShiftNode::newClient(client::ClientConfig config) const {
  config.storeName = kStoreName;
  config.storeRoot = storeRoot_;
  config.ringFile = ringFile_;
  auto client = client::Client::create(config);
  if (!client) {
    throw std::runtime_error(client.error().message);
  }
  return *std::move(client);
}

}  // namespace shift::bench
