#include "client-lib/ClientMetrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "client-lib/Client.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::client {
namespace {

using testing::HasSubstr;

std::string contentOf(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

TEST(ClientMetrics, TellWhereBytesCameFrom) {
  ClientStats stats;
  stats.bytesFromNodes = 100;
  stats.bytesFromBackingStore = 20;
  stats.getsHedged = 3;
  const std::string text = metricsOf(stats, "7");
  EXPECT_THAT(text, HasSubstr("shift_client_read_bytes_total{source=\"node\",pid=\"7\"} 100\n"));
  EXPECT_THAT(text, HasSubstr("shift_client_read_bytes_total{source=\"store\",pid=\"7\"} 20\n"));
  EXPECT_THAT(text, HasSubstr("shift_client_gets_total{outcome=\"hedged\",pid=\"7\"} 3\n"));
}

TEST(MetricsFile, IsThereWhileTheClientIs) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / ("shift-" + std::to_string(::getpid()) + ".prom");
  {
    ClientStats stats;
    const MetricsFile file(directory / "shift-%p.prom", [&] { return stats; });
    EXPECT_FALSE(std::filesystem::exists(path));
    ASSERT_TRUE(file.write());
    EXPECT_THAT(contentOf(path), HasSubstr("shift_client_reads_total{"));
    stats.preads = 12;
    ASSERT_TRUE(file.write());
    EXPECT_THAT(contentOf(path), HasSubstr("\"} 12\n"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(path).parent_path()));
}

TEST(MetricsFile, ADirectoryThatIsNotThereIsNamedAtTheStart) {
  const test::TemporaryDirectory directory;
  ClientConfig config;
  config.storeRoot = directory / "";
  config.metricsFile = directory / "absent/shift.prom";
  const auto client = Client::create(config);
  ASSERT_FALSE(client);
  EXPECT_THAT(client.error().message, HasSubstr("absent/shift.prom"));
  config.metricsFile = directory / "shift.prom";
  ASSERT_TRUE(Client::create(config));
}

}  // namespace
}  // namespace shift::client
