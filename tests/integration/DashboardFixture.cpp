#include "tests/integration/DashboardFixture.h"

#include <httplib.h>

#include "tools/cluster/EnlistNodes.h"

namespace shift::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;

/** Keeps each state that the page is told, where a test finds it. */
constexpr const char* kListen = R"(
  window.told = [];
  const { json } = Response.prototype;
  Response.prototype.json = async function () {
    const said = await json.call(this);
    if (this.url.includes("/api/state")) {
      window.told.push(said);
    }
    return said;
  };)";

std::string cells(const std::string& table, int column) {
  return table + " tbody tr td:nth-child(" + std::to_string(column) + ")";
}

}  // namespace

void DashboardFixture::startTier(std::uint32_t nodes, const std::vector<std::string>& moreSettings) {
  std::vector<std::string> settings = {"policy.name=historic", "policy.min_admit_threshold=0",
                                       "policy.block_size=1MiB"};
  settings.insert(settings.end(), moreSettings.begin(), moreSettings.end());
  startCluster(nodes, settings, true);
  gms::GmsClient client = gms();
  const Status enlisted = tools::enlistNodes(client, *cluster_);
  ASSERT_TRUE(enlisted) << enlisted.error().message;
}

gms::GmsClient DashboardFixture::gms() const {
  return gms::GmsClient(cluster_->gmsAddress(), seconds(60));
}

void DashboardFixture::setParameter(const std::string& node, const std::string& name,
                                    const std::string& value) const {
  wire::Parameter parameter;
  parameter.__set_node(node);
  parameter.__set_name(name);
  parameter.__set_value(value);
  const auto stored = gms().putParameter(parameter);
  ASSERT_TRUE(stored) << stored.error().message;
}

void DashboardFixture::read(const std::string& path, const std::string& job) {
  readWhole(*newClient(), path, kMiB, job);
}

void DashboardFixture::openPage(const HostPort& server) {
  browser_ = Browser::start(directory_ / "", clock_);
  browser_->runFirst(kListen);
  browser_->open("http://" + toString(server) + "/");
}

void DashboardFixture::openPage() {
  openPage(cluster_->gmsHttpAddress());
}

json DashboardFixture::state() const {
  httplib::Client client(cluster_->gmsHttpAddress().host, cluster_->gmsHttpAddress().port);
  client.set_read_timeout(60);
  const httplib::Result answer = client.Get("/dashboard/api/state");
  EXPECT_TRUE(answer) << httplib::to_string(answer.error());
  return answer ? json::parse(answer->body) : json();
}

json DashboardFixture::runWithTold(const std::string& body) {
  return browser_->run("const { told } = window;" + body);
}

void DashboardFixture::await(const char* what, const std::function<bool()>& holds) const {
  ASSERT_TRUE(browser_->await(holds))
      << "never: " << what << "; the page says: " << browser_->text("#connection");
}

void DashboardFixture::awaitSaid(const std::string& words) const {
  await(words.c_str(), [&] { return browser_->text("#connection").find(words) != std::string::npos; });
}

std::string DashboardFixture::hint(const std::string& table, int column) const {
  return browser_->attribute(cells(table, column), "title");
}

std::vector<std::string> DashboardFixture::column(const std::string& table, int number) const {
  return browser_->texts(cells(table, number));
}

std::string DashboardFixture::focused() const {
  return browser_->run("return document.activeElement.textContent");
}

}  // namespace shift::test
