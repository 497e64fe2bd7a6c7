#include <gmock/gmock.h>
#include <signal.h>

#include "tests/integration/DashboardFixture.h"

namespace shift {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

const std::string kRight = "\u202Egnp.exe";  // turns the direction of what follows
const std::string kScript = "<img src=x onerror=window.hacked=1>";
const std::string kQuotes = R"("a" 'b' & <script>window.hacked=1)";

using DashboardPageTest = test::DashboardFixture;

TEST_F(DashboardPageTest, ShowsTheNumbersOfTheApiAndFollowsThem) {
  addFile("clicks/ds=1/part-0", 4 << 20, 1);
  startTier(2);
  read("clicks/ds=1/part-0");
  openPage();
  for (const int times : {1, 2}) {
    const std::string served = std::to_string(times * (4 << 20)) + " bytes";
    await("what was read", [&] { return hint("#buckets", 3) == served && hint("#jobs", 7) == served; });
    const json told = state();
    EXPECT_EQ(told["buckets"][0]["served_bytes"], times * (4 << 20));
    EXPECT_THAT(column("#buckets", 1), ElementsAre("warehouse:clicks/ds=1"));
    EXPECT_THAT(column("#buckets", 9), ElementsAre(told["buckets"][0]["decision"].get<std::string>()));
    EXPECT_THAT(column("#jobs", 1), ElementsAre("train"));
    const auto absorbed = told["buckets"][0]["served_bytes"].get<std::int64_t>() -
                          told["buckets"][0]["fetched_bytes"].get<std::int64_t>();
    EXPECT_EQ(hint("#buckets", 4), std::to_string(absorbed) + " bytes");
    EXPECT_THAT(column("#nodes", 1), ElementsAre("node-1", "node-2"));
    if (times == 1) {
      read("clicks/ds=1/part-0");
    }
  }
  await("the chart's lines", [&] {
    return browser_->run("return document.querySelector('#io-chart path').getAttribute('d').length > 20") ==
           true;
  });
  EXPECT_THAT(browser_->consoleErrors(), IsEmpty());
  EXPECT_THAT(browser_->run("return performance.getEntriesByType('resource').map((one) => one.name)"
                            ".filter((name) => !name.startsWith(location.origin))"),
              IsEmpty())
      << "asked of others";
}

TEST_F(DashboardPageTest, ANodesDeathIsShownAndSoIsItsReturn) {
  startTier(2);
  openPage();
  awaitSaid("2 of 2 nodes answer");
  cluster_->node(1).signal(SIGKILL);
  awaitSaid("1 of 2 nodes answer");
  EXPECT_THAT(column("#nodes", 2), ElementsAre("answers", HasSubstr("does not answer")));
  ASSERT_TRUE(cluster_->restartNode(1));
  awaitSaid("2 of 2 nodes answer");
  EXPECT_THAT(browser_->consoleErrors(), IsEmpty());
}

TEST_F(DashboardPageTest, TheGmsMayGoAndComeBack) {
  addFile("f/part-0", 1 << 20, 1);
  startTier(1);
  read("f/part-0");
  openPage();
  await("the bucket", [&] { return hint("#buckets", 3) == "1048576 bytes"; });
  cluster_->gms().signal(SIGKILL);
  awaitSaid("The GMS does not answer, last seen");
  EXPECT_EQ(hint("#buckets", 3), "1048576 bytes") << "what was last known stays";
  ASSERT_TRUE(cluster_->restartGms());
  awaitSaid("1 of 1 nodes answer");
  await("the history, by the node", [&] {
    std::int64_t served = 0;
    const json told = state();
    for (const json& step : told["history"]) {
      served += step["served_bytes"].get<std::int64_t>();
    }
    return served >= (1 << 20) - 1;
  });
  EXPECT_THAT(browser_->consoleErrors(), IsEmpty());
}

TEST_F(DashboardPageTest, HostileNamesAreOnlyText) {
  const std::string endless(200, 'w');
  const std::vector<std::string> names = {kScript, kQuotes, kRight, endless};
  for (const std::string& name : names) {
    addFile(name + "/part-0", 1 << 20, 1);
  }
  startTier(1);
  for (const std::string& name : names) {
    read(name + "/part-0", name);
  }
  openPage();
  await("all names", [&] { return column("#buckets", 1).size() == 4 && column("#jobs", 1).size() == 4; });
  EXPECT_THAT(column("#jobs", 1), IsSupersetOf(names));
  EXPECT_THAT(column("#buckets", 1), Contains("warehouse:" + kScript));
  EXPECT_EQ(browser_->run("return window.hacked === undefined && document.images.length === 0"), true);
  EXPECT_EQ(browser_->run("return document.documentElement.scrollWidth <= window.innerWidth"), true)
      << "a long name does not widen the page";
  EXPECT_THAT(browser_->consoleErrors(), IsEmpty());
}

TEST_F(DashboardPageTest, AKeyboardSortsATableAndKeepsItsPlace) {
  addFile("a/part-0", 1 << 20, 1);
  addFile("b/part-0", 2 << 20, 2);
  startTier(1);
  read("a/part-0");
  read("b/part-0");
  openPage();
  await("both buckets", [&] { return column("#buckets", 1).size() == 2; });
  for (int tabs = 0; tabs < 60 && focused() != "bucket"; ++tabs) {
    browser_->press(test::Browser::kTab);
  }
  ASSERT_EQ(focused(), "bucket");
  const std::string head = "#buckets th:nth-child(1)";
  browser_->press(test::Browser::kEnter);
  EXPECT_EQ(browser_->attribute(head, "aria-sort"), "ascending");
  EXPECT_THAT(column("#buckets", 1), ElementsAre("warehouse:a", "warehouse:b"));
  browser_->press(test::Browser::kEnter);
  EXPECT_EQ(browser_->attribute(head, "aria-sort"), "descending");
  const std::string said = browser_->text("#connection");
  await("the next answer", [&] { return browser_->text("#connection") != said; });
  EXPECT_THAT(column("#buckets", 1), ElementsAre("warehouse:b", "warehouse:a"));
  EXPECT_EQ(focused(), "bucket") << "an update does not take the focus away";
}

TEST_F(DashboardPageTest, TheBoxExplainsABlockByItsOwner) {
  addFile("clicks/part-0", 3 << 20, 1);
  startTier(2);
  read("clicks/part-0");
  openPage();
  awaitSaid("2 of 2 nodes answer");
  browser_->run("document.querySelector('#explain [name=path]').focus()");
  browser_->press("warehouse:clicks/part-0");
  browser_->press(test::Browser::kEnter);
  await("an explanation",
        [&] { return browser_->text("#explanation").find("would be admitted") != std::string::npos; });
  EXPECT_THAT(browser_->text("#explanation"), AllOf(HasSubstr("node-"), HasSubstr("1.0 MB of 1.0 MB")));
  browser_->press("-not-there");
  browser_->press(test::Browser::kEnter);
  await("a refusal", [&] { return !browser_->text("#explanation .fault").empty(); });
}

TEST_F(DashboardPageTest, ShowsAnnouncedJobsAndAComparisonSideBySide) {
  addFile("clicks/ds=1/part-0", 1 << 20, 1);
  startTier(2);
  wire::Table table;
  table.__set_name("clicks");
  table.__set_store("warehouse");
  table.__set_root("clicks");
  ASSERT_TRUE(gms().putTable(table));
  wire::Job job;
  job.__set_id("train");
  job.dataset.__set_store("warehouse");
  job.dataset.__set_table("clicks");
  job.dataset.__set_partitions({"clicks/ds=1", "clicks/ds=2"});
  ASSERT_TRUE(gms().registerJob(job));
  setParameter("node-1", "policy.arm", "a");
  setParameter("node-2", "policy.arm", "b");
  read("clicks/ds=1/part-0");
  openPage();
  await("the job", [&] { return column("#jobs", 2) == std::vector<std::string>{"running"}; });
  EXPECT_THAT(column("#jobs", 5), ElementsAre(HasSubstr(" of 2")));
  EXPECT_THAT(browser_->attribute("#jobs svg", "aria-label"), HasSubstr("of 2 partitions finished"));
  await("both arms", [&] {
    return browser_->texts("#arms thead th") == std::vector<std::string>{"", "arm a", "arm b"};
  });
  EXPECT_EQ(browser_->run("return document.getElementById('comparison').hidden"), false);
}

TEST_F(DashboardPageTest, ANodeHasAPageOfItsOwnInLightAndInDark) {
  addFile("clicks/part-0", 1 << 20, 1);
  startCluster(1);
  read("clicks/part-0");
  openPage(cluster_->metricsAddress(0));
  awaitSaid("node node-1");
  await("its bucket", [&] { return hint("#buckets", 3) == "1048576 bytes"; });
  const char* const ground = "return getComputedStyle(document.body).backgroundColor";
  browser_->preferScheme("light");
  const json light = browser_->run(ground);
  browser_->preferScheme("dark");
  EXPECT_NE(browser_->run(ground), light);
  EXPECT_THAT(browser_->consoleErrors(), IsEmpty());
}

}  // namespace
}  // namespace shift
