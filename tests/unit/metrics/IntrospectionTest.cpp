#include "metrics/Introspection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift::metrics {
namespace {

using testing::HasSubstr;

class IntrospectionTest : public testing::Test {
 protected:
  http::Response ask(const std::string& path, const std::string& method = "GET") {
    http::Request request;
    request.method = method;
    request.path = path;
    return introspection({.metrics = [] { return "up 1\n"; },
                          .readiness = [this] { return readiness_; },
                          .config = [] { return "id = \"n\"\n"; }})(request);
  }

  Readiness readiness_{.isReady = true, .says = "ready\n"};
};

TEST_F(IntrospectionTest, HasFourPages) {
  const http::Response metrics = ask("/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_EQ(metrics.body, "up 1\n");
  EXPECT_THAT(metrics.contentType, HasSubstr("version=0.0.4"));
  EXPECT_EQ(ask("/healthz").body, "ok\n");
  EXPECT_EQ(ask("/readyz").status, 200);
  EXPECT_EQ(ask("/config").body, "id = \"n\"\n");
}

TEST_F(IntrospectionTest, SaysWhyItIsNotReadyAndIsAliveAllTheSame) {
  readiness_ = {.isReady = false, .says = "the database is gone\n"};
  EXPECT_EQ(ask("/readyz").status, 503);
  EXPECT_EQ(ask("/readyz").body, "the database is gone\n");
  EXPECT_EQ(ask("/healthz").status, 200);
}

TEST_F(IntrospectionTest, RefusesWhatIsNotThere) {
  EXPECT_EQ(ask("/metrics", "POST").status, 405);
  EXPECT_EQ(ask("/metrics", "HEAD").status, 200);
  EXPECT_EQ(ask("/").status, 404);
  EXPECT_THAT(ask("/secrets").body, HasSubstr("there are /metrics"));
}

}  // namespace
}  // namespace shift::metrics
