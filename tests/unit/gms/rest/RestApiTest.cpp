#include "gms/rest/RestApi.h"

#include "gms/rest/RestText.h"
#include "tests/unit/gms/rest/RestFixture.h"

namespace shift::gms {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class RestApiTest : public RestFixture {
 protected:
  RestApiTest() { putTable(); }

  static std::string job(const std::string& id) {
    return R"({"id": ")" + id +
           R"(", "dataset": {"store": "warehouse", "table": "clicks", "partitions": ["clicks/ds=1"]}})";
  }

  std::vector<std::string> faultsOf(const Answer& answer) { return answer.body.at("faults"); }
};

TEST_F(RestApiTest, AJobIsRegisteredToldAndFound) {
  ASSERT_EQ(ask("POST", "/v1/jobs", job("a")).status, 200);
  ASSERT_EQ(ask("POST", "/v1/jobs", job("b")).status, 200);
  EXPECT_EQ(ask("PATCH", "/v1/jobs/a", R"({"state": "running"})").body.at("state"), "running");
  const Answer running = ask("GET", "/v1/jobs?state=running");
  ASSERT_EQ(running.body.at("jobs").size(), 1u);
  EXPECT_EQ(running.body.at("jobs")[0].at("id"), "a");
  EXPECT_EQ(ask("GET", "/v1/jobs?state=running,queued&limit=1").body.at("next"), "a");
  EXPECT_EQ(ask("GET", "/v1/jobs?state=running&state=queued").body.at("jobs").size(), 2u);
  EXPECT_EQ(ask("DELETE", "/v1/jobs/a").status, 204);
  EXPECT_EQ(ask("GET", "/v1/jobs/a").status, 404);
}

TEST_F(RestApiTest, ABadSpecIsRefusedWithEveryFaultAndNothingIsStored) {
  const Answer refused = ask("POST", "/v1/jobs",
                             R"({"id": "j", "owner": 5, "dataset": {"store": "warehouse", "table": "ghosts",
                                 "partitions": ["../etc", "x"], "epochs": 0}})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.body.at("error"), "invalid");
  EXPECT_THAT(faultsOf(refused), Contains(HasSubstr("owner must be a string")));
  EXPECT_THAT(faultsOf(refused), Contains(HasSubstr("dataset.partitions[0]")));
  EXPECT_THAT(faultsOf(refused), Contains(HasSubstr("dataset.epochs is 0")));
  EXPECT_THAT(faultsOf(refused), Contains(HasSubstr("no table \"ghosts\" is registered")));
  EXPECT_TRUE(ask("GET", "/v1/jobs").body.at("jobs").empty());
  EXPECT_EQ(ask("POST", "/v1/jobs", std::string(1'000'000, 'x')).status, 400);
  const Answer large = ask("POST", "/v1/jobs", std::string(10'000'000, 'x'));
  EXPECT_EQ(large.status, 413);
  EXPECT_THAT(faultsOf(large), ElementsAre(HasSubstr("larger than 8388608 bytes")));
}

TEST_F(RestApiTest, AnotherBodyUnderAKnownIdConflictsUnlessItIsPut) {
  ASSERT_EQ(ask("POST", "/v1/jobs", job("a")).status, 200);
  std::string other = job("a");
  other.replace(other.find("ds=1"), 4, "ds=2");
  EXPECT_EQ(ask("POST", "/v1/jobs", other).status, 409);
  EXPECT_EQ(ask("PUT", "/v1/jobs/a", other).body.at("dataset").at("partitions"), json({"clicks/ds=2"}));
  const Answer misplaced = ask("PUT", "/v1/jobs/b", other);
  EXPECT_EQ(misplaced.status, 400);
  EXPECT_THAT(faultsOf(misplaced), ElementsAre(HasSubstr("not that of the path")));
}

TEST_F(RestApiTest, HeadersSayWhoAsksAndUnderWhichRequestId) {
  ASSERT_EQ(ask("POST", "/v1/jobs", job("a"), {{"X-Shift-Actor", "ann"}, {"Idempotency-Key", "k1"}}).status,
            200);
  EXPECT_EQ(ask("GET", "/v1/audit?kind=job").body.at("audit")[0].at("actor"), "ann");
  EXPECT_EQ(ask("POST", "/v1/jobs", job("b"), {{"Idempotency-Key", "k1"}}).status, 409);
  EXPECT_EQ(ask("DELETE", "/v1/jobs/a", "", {{"Idempotency-Key", "k2"}}).status, 204);
  EXPECT_EQ(ask("DELETE", "/v1/jobs/a", "", {{"Idempotency-Key", "k2"}}).status, 204)
      << "repeated, not done again";
}

TEST_F(RestApiTest, NamesMayHoldWhatPathsDoNot) {
  ASSERT_EQ(ask("POST", "/v1/jobs", job("team/run 7?")).status, 200);
  EXPECT_EQ(ask("GET", "/v1/jobs/team%2Frun%207%3F").body.at("id"), "team/run 7?");
  EXPECT_EQ(ask("GET", "/v1/jobs/team/run").status, 404);
}

TEST_F(RestApiTest, SaysWhatIsNotPossibleInTheSameForm) {
  EXPECT_EQ(ask("GET", "/v1/nothing").body.at("error"), "not_found");
  EXPECT_EQ(ask("DELETE", "/v1/jobs").body.at("error"), "not_allowed");
  EXPECT_EQ(ask("DELETE", "/v1/jobs").status, 405);
  EXPECT_EQ(ask("GET", "/v1/jobs?state=done&colour=red").body.at("faults").size(), 2u);
  EXPECT_EQ(ask("GET", "/v1/audit?limit=many").status, 400);
}

TEST_F(RestApiTest, ASecondServerDoesNotShareThePort) {
  const auto second = startRestServer({.listen = server_->address(), .threads = 1}, *api_, clock_);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("cannot listen on 127.0.0.1"));
}

TEST(RestText, DecodesNames) {
  EXPECT_EQ(percentDecoded("a%2Fb%20c"), "a/b c");
  EXPECT_FALSE(percentDecoded("a%2"));
  EXPECT_FALSE(percentDecoded("a%zz"));
  EXPECT_THAT(*matchPath("/v1/nodes/{node}/parameters/{name}", "/v1/nodes/n%31/parameters/p"),
              ElementsAre("n1", "p"));
  EXPECT_FALSE(matchPath("/v1/jobs/{id}", "/v1/jobs/"));
  EXPECT_FALSE(matchPath("/v1/jobs", "/v1/jobs/"));
  EXPECT_FALSE(matchPath("/v1/jobs", "v1/jobs"));
}

}  // namespace
}  // namespace shift::gms
