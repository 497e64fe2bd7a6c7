#include "gms/GmsMetrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/gms/rest/RestFixture.h"

namespace shift::gms {
namespace {

using testing::HasSubstr;
using testing::Not;

class GmsMetricsTest : public RestFixture {
 protected:
  void breakDatabase() {
    ASSERT_TRUE(metadata_->read([](Database& database) -> Status {
      database.script("DROP TABLE store");
      return {};
    }));
  }

  CounterRegistry counters_;
  GmsMetrics metrics_{{.metadata = *metadata_,
                       .counters = counters_,
                       .thriftConnections = [] { return 7; },
                       .clock = clock_}};
};

TEST_F(GmsMetricsTest, CountsJobsAndMembersByState) {
  putTable();
  ask("POST", "/v1/jobs",
      R"({"id": "a", "dataset": {"store": "warehouse", "table": "clicks", "partitions": ["clicks/ds=1"]}})");
  ask("PUT", "/v1/members/flash-01", R"({"address": "10.0.0.1:7400", "weight": 1})");
  const std::string text = metrics_.text();
  EXPECT_THAT(text, HasSubstr("shift_gms_jobs{state=\"queued\"} 1\nshift_gms_jobs{state=\"running\"} 0\n"));
  EXPECT_THAT(text,
              HasSubstr("shift_gms_members{state=\"active\"} 1\nshift_gms_members{state=\"down\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("shift_gms_database_up 1\n"));
  EXPECT_THAT(text, HasSubstr("shift_gms_thrift_connections 7\n"));
}

TEST_F(GmsMetricsTest, TimesRequestsByMethodAndStatus) {
  metrics_.observeHttp("GET", 404, std::chrono::milliseconds(3));
  EXPECT_THAT(
      metrics_.text(),
      HasSubstr("shift_gms_http_request_seconds_bucket{code=\"404\",method=\"GET\",le=\"0.005\"} 1\n"));
}

TEST_F(GmsMetricsTest, TimesTheDatabase) {
  metadata_->measure(counters_);
  putTable();
  const std::string text = metrics_.text();
  EXPECT_THAT(text, HasSubstr("shift_gms_database_seconds_count{operation=\"begin\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("shift_gms_database_seconds_count{operation=\"commit\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("shift_gms_database_seconds_count{operation=\"statement\"} 0\n")));
}

TEST_F(GmsMetricsTest, IsReadyWhileTheDatabaseAnswers) {
  const metrics::Readiness ready = metrics_.readiness();
  EXPECT_TRUE(ready.isReady);
  EXPECT_THAT(ready.says, HasSubstr("gms.sqlite answers"));
  breakDatabase();
  const metrics::Readiness broken = metrics_.readiness();
  EXPECT_FALSE(broken.isReady);
  EXPECT_THAT(broken.says, HasSubstr("database: "));
  EXPECT_THAT(metrics_.text(), HasSubstr("shift_gms_database_up 0\n"));
  EXPECT_THAT(metrics_.text(), Not(HasSubstr("shift_gms_jobs")));
}

}  // namespace
}  // namespace shift::gms
