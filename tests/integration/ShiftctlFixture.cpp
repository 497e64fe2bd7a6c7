#include "tests/integration/ShiftctlFixture.h"

#include <thread>

namespace shift::test {

void ShiftctlFixture::startTier(std::uint32_t nodes, std::vector<std::string> nodeSettings) {
  nodeSettings.insert(nodeSettings.begin(), {"policy.block_size=1MiB", "policy.bucket_refresh_time=100ms"});
  startCluster(nodes, std::move(nodeSettings), true);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const Outcome added = ctl({"ring", "add", "--admin", toString(cluster_->adminAddress(i)), "--yes"});
    ASSERT_EQ(added.code, 0) << added.said;
  }
}

std::vector<std::string> ShiftctlFixture::withGms(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"--gms", toString(cluster_->gmsAddress()), "--timeout", "30s"});
  return arguments;
}

ShiftctlFixture::Outcome ShiftctlFixture::ctl(std::vector<std::string> arguments) const {
  return run("shiftctl", withGms(std::move(arguments)));
}

ShiftctlFixture::Outcome ShiftctlFixture::ctlByRing(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"--ring", cluster_->ringFile(), "--timeout", "30s"});
  return run("shiftctl", arguments);
}

nlohmann::json ShiftctlFixture::ctlJson(std::vector<std::string> arguments, int code) const {
  arguments.push_back("--json");
  const Outcome outcome = ctl(std::move(arguments));
  EXPECT_EQ(outcome.code, code) << outcome.said;
  nlohmann::json value = nlohmann::json::parse(outcome.printed, nullptr, false);
  EXPECT_FALSE(value.is_discarded()) << outcome.printed << outcome.said;
  return value;
}

void ShiftctlFixture::await(const char* what, const std::function<bool()>& holds) const {
  const TimePoint deadline = clock_.now() + std::chrono::seconds(60);
  while (!holds()) {
    ASSERT_LT(clock_.now(), deadline) << "never: " << what;
    std::this_thread::yield();
  }
}

}  // namespace shift::test
