#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "gms/GmsClient.h"
#include "shift-node/AdminClient.h"
#include "tests/support/ClusterFixture.h"

namespace shift {
namespace {

using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/** Names that would break out of a label that is not escaped, or are no text at all. */
const std::string kHostileJob = "a\"b\\c\nshift_fake_total 1\n{}\xFF";

/** Real processes, looked at as Prometheus looks at them. */
class MetricsTest : public test::ClusterFixture {
 protected:
  struct Page {
    int status = 0;
    std::string body;
  };
  static Page get(const HostPort& from, const std::string& path) {
    httplib::Client client(from.host, from.port);
    client.set_read_timeout(60);
    const httplib::Result result = client.Get(path);
    if (!result) {
      ADD_FAILURE() << path << ": " << httplib::to_string(result.error());
      return {};
    }
    return {result->status, result->body};
  }
  std::string nodeMetrics() const { return get(cluster_->metricsAddress(0), "/metrics").body; }
  std::string gmsMetrics() const { return get(cluster_->gmsHttpAddress(), "/metrics").body; }

  /** One node with everything that has metrics: flash, modelled disks, a policy, a GMS. */
  void startWithEverything() {
    startCluster(
        1,
        {"cache.flash_files=" + (directory_ / "flash.cache"), "cache.flash=32MiB", "cache.dram=1MiB",
         "store.disks=1", "store.disk_seek=0s", "policy.min_admit_threshold=0", "policy.name=historic"},
        true);
  }

  /** What promtool has to say against a page; empty if it is satisfied. */
  std::string faultsByPromtool(const std::string& page) const {
    std::ofstream(directory_ / "page") << page;
    const auto process = *tools::ChildProcess::start(
        {"/bin/sh", "-c", "promtool check metrics < '" + (directory_ / "page") + "' 2>&1"},
        directory_ / "promtool.log");
    std::string faults;
    for (auto line = process->readLine(clock_, seconds(60)); line;
         line = process->readLine(clock_, seconds(60))) {
      faults += *line + "\n";
    }
    const std::optional<int> code = process->wait(seconds(60));
    return code == 0 ? faults : "promtool ended with " + std::to_string(code.value_or(-1)) + "\n" + faults;
  }

  /** The value of a series; a failure if it is not there. */
  static double valueOf(const std::string& page, const std::string& series) {
    const std::size_t at = page.find("\n" + series + " ");
    if (at == std::string::npos) {
      ADD_FAILURE() << "no series " << series;
      return -1;
    }
    return std::stod(page.substr(at + series.size() + 2));
  }

  static std::set<std::string> familiesIn(const std::string& page) {
    std::set<std::string> families;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("# TYPE ")) {
        families.insert(line.substr(7, line.find(' ', 7) - 7));
      }
    }
    return families;
  }
};

TEST_F(MetricsTest, PromtoolFindsNothingWrong) {
  const std::string content = addFile("clicks/ds=1/part-0", 3 << 20, 1);
  startWithEverything();
  const auto client = newClient();
  for (const std::string& job : {std::string("train"), kHostileJob, kHostileJob}) {
    EXPECT_EQ(readWhole(*client, "clicks/ds=1/part-0", 1 << 20, job), content);
  }
  EXPECT_THAT(faultsByPromtool(nodeMetrics()), IsEmpty());
  EXPECT_EQ(get(cluster_->gmsHttpAddress(), "/v1/jobs").status, 200);
  EXPECT_THAT(faultsByPromtool(gmsMetrics()), IsEmpty());
  EXPECT_THAT(faultsByPromtool("shift_x_total{a=\"1\"} 1\nshift_x_total{a=\"1\"} 1\n"), Not(IsEmpty()))
      << "it would have found a duplicate";
}

TEST_F(MetricsTest, AgreesWithTheAdminService) {
  const std::string content = addFile("clicks/ds=1/part-0", 3 << 20, 1);
  startWithEverything();
  const auto client = newClient();
  EXPECT_EQ(readWhole(*client, "clicks/ds=1/part-0", 1 << 20, "train"), content);
  EXPECT_EQ(readWhole(*client, "clicks/ds=1/part-0", 1 << 20, "train"), content);

  const std::string page = nodeMetrics();
  const auto served = static_cast<double>(counter(0, "node_served_bytes_total"));
  const auto fetched = static_cast<double>(counter(0, "node_backing_bytes_total"));
  EXPECT_EQ(served, 6 << 20);
  EXPECT_EQ(valueOf(page, "shift_node_served_bytes_total"), served);
  EXPECT_EQ(valueOf(page, "shift_node_backing_bytes_total"), fetched);
  EXPECT_EQ(valueOf(page, "shift_node_absorbed_bytes"), served - fetched);
  EXPECT_EQ(valueOf(page, "shift_node_job_served_bytes_total{job_id=\"train\"}"), served);
  EXPECT_EQ(valueOf(page, "shift_node_bucket_served_bytes_total{bucket=\"warehouse:clicks/ds=1\"}"), served);
  const double hits = valueOf(page, "shift_node_get_hits_total{tier=\"dram\"}") +
                      valueOf(page, "shift_node_get_hits_total{tier=\"flash\"}");
  EXPECT_EQ(hits + valueOf(page, "shift_node_get_fills_total"), 6);
  EXPECT_GE(valueOf(page, "shift_node_get_seconds_count{outcome=\"filled\",tier=\"store\"}"), 3);

  node::AdminClient admin(cluster_->adminAddress(0), seconds(30));
  const auto status = admin.status();
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(valueOf(page, "shift_engine_segments{tier=\"flash\"}"), static_cast<double>(status->segments));
  EXPECT_EQ(valueOf(page, "shift_engine_capacity_bytes{tier=\"flash\"}"),
            static_cast<double>(status->capacityBytes));
  EXPECT_EQ(valueOf(page, "shift_engine_device_in_use{device=\"" + (directory_ / "flash.cache") + "\"}"), 1);
}

TEST_F(MetricsTest, TheDocumentListsEveryFamilyAndNoOther) {
  addFile("clicks/ds=1/part-0", 1 << 20, 1);
  startWithEverything();
  readWhole(*newClient(), "clicks/ds=1/part-0", 1 << 20);
  EXPECT_EQ(get(cluster_->gmsHttpAddress(), "/healthz").status, 200);
  EXPECT_TRUE(gms::GmsClient(cluster_->gmsAddress(), seconds(30)).listTables());
  std::set<std::string> exposed = familiesIn(nodeMetrics());
  exposed.merge(familiesIn(gmsMetrics()));

  std::ostringstream document;
  document << std::ifstream(SHIFT_METRICS_DOCUMENT).rdbuf();
  const std::string text = document.str();
  std::set<std::string> listed;
  const std::regex row(R"(\n\| `([a-z_]+))");
  for (std::sregex_iterator found(text.begin(), text.end(), row), end; found != end; ++found) {
    listed.insert((*found)[1]);
  }
  std::set<std::string> unlisted;
  std::ranges::set_difference(exposed, listed, std::inserter(unlisted, unlisted.end()));
  EXPECT_THAT(unlisted, IsEmpty()) << "docs/metrics.md does not list them";
  std::set<std::string> gone;
  std::ranges::set_difference(listed, exposed, std::inserter(gone, gone.end()));
  EXPECT_THAT(gone, IsEmpty()) << "docs/metrics.md lists what nobody exposes";
}

TEST_F(MetricsTest, ANodeTellsThatItIsAliveReadyAndHowItIsConfigured) {
  startWithEverything();
  const HostPort& node = cluster_->metricsAddress(0);
  EXPECT_EQ(get(node, "/healthz").body, "ok\n");
  const Page ready = get(node, "/readyz");
  EXPECT_EQ(ready.status, 200);
  EXPECT_THAT(ready.body, AllOf(HasSubstr("ready\n"), HasSubstr("flash.cache: in use")));
  EXPECT_EQ(get(node, "/nothing").status, 404);

  const std::string config = get(node, "/config").body;
  EXPECT_THAT(config, AllOf(HasSubstr("id = \"node-1\""), HasSubstr("min_admit_threshold = 0.0")));
  const Outcome loaded =
      run("shift-node", {"--config", directory_.write("again.toml", config), "--print-config"});
  EXPECT_EQ(loaded.code, 0) << loaded.said;
}

TEST_F(MetricsTest, TheGmsTellsTheSameAtItsOnePort) {
  startCluster(1);
  const HostPort& gms = cluster_->gmsHttpAddress();
  EXPECT_EQ(get(gms, "/healthz").body, "ok\n");
  EXPECT_EQ(get(gms, "/readyz").status, 200);
  EXPECT_THAT(get(gms, "/config").body, HasSubstr("database = \""));
  EXPECT_EQ(get(gms, "/v1/status").status, 200);
}

TEST_F(MetricsTest, ANodeWithoutMetricsServesAllTheSame) {
  const std::string content = addFile("f", 1 << 20, 1);
  startCluster(1, {"metrics_listen="});
  EXPECT_EQ(readWhole(*newClient(), "f", 1 << 20), content);
  EXPECT_EQ(counter(0, "node_served_bytes_total"), 1 << 20);
}

}  // namespace
}  // namespace shift
