#include "dashboard/Dashboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dashboard/PageFiles.h"
#include "tests/unit/dashboard/FakeNode.h"

namespace shift::dashboard {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class DashboardTest : public testing::Test {
 protected:
  std::optional<http::Response> ask(const std::string& path, std::map<std::string, std::string> query = {},
                                    const std::string& knownTag = "",
                                    const std::string& method = "GET") const {
    return dashboard_.handle({.method = method,
                              .path = path,
                              .query = std::move(query),
                              .body = "",
                              .remoteAddress = "",
                              .header = [&](const char* name) {
                                return name == std::string("If-None-Match") ? knownTag : std::string();
                              }});
  }

  ManualClock clock_;
  FakeTier tier_;
  Monitor monitor_{"node", tier_, clock_};
  Dashboard dashboard_{monitor_, Dashboard::Polls::kWhenAsked};
};

TEST_F(DashboardTest, LeavesOtherPathsAlone) {
  EXPECT_FALSE(ask("/metrics"));
  EXPECT_FALSE(ask("/v1/jobs"));
  EXPECT_FALSE(ask("/dashboards"));
}

TEST_F(DashboardTest, TheRootLeadsToThePage) {
  for (const char* path : {"/", "/dashboard"}) {
    const auto answer = ask(path);
    EXPECT_EQ(answer->status, http::kFound);
    EXPECT_EQ(answer->headers.at("Location"), "dashboard/");
  }
  const auto page = ask("/dashboard/");
  EXPECT_EQ(page->status, http::kOk);
  EXPECT_EQ(page->contentType, "text/html; charset=utf-8");
  EXPECT_THAT(page->body, HasSubstr("<title>Shift</title>"));
}

TEST_F(DashboardTest, ServesEveryFileWithItsTypeAndAPolicyThatAllowsNothingFromOutside) {
  for (const PageFile& file : pageFiles()) {
    const auto answer = ask("/dashboard/" + std::string(file.name));
    ASSERT_EQ(answer->status, http::kOk) << file.name;
    EXPECT_EQ(answer->body, file.content);
    EXPECT_NE(answer->contentType, "application/octet-stream") << file.name;
    EXPECT_THAT(answer->headers.at("Content-Security-Policy"), HasSubstr("default-src 'self'"));
    EXPECT_THAT(answer->body, Not(HasSubstr("innerHTML"))) << "names are shown as text";
    EXPECT_THAT(answer->body, Not(HasSubstr("https://")));
  }
}

TEST_F(DashboardTest, WhatABrowserKnowsIsNotSentAgain) {
  const auto first = ask("/dashboard/main.js");
  const auto again = ask("/dashboard/main.js", {}, first->headers.at("ETag"));
  EXPECT_EQ(again->status, http::kNotModified);
  EXPECT_EQ(again->body, "");
  EXPECT_EQ(ask("/dashboard/main.js", {}, "\"other\"")->status, http::kOk);
}

TEST_F(DashboardTest, RefusesWhatMakesNoSense) {
  EXPECT_EQ(ask("/dashboard/nothing.js")->status, http::kNotFound);
  EXPECT_EQ(ask("/dashboard/api/state", {}, "", "POST")->status, http::kMethodNotAllowed);
  for (const char* after : {"soon", "-1", "1.5", "99999999999999999999"}) {
    EXPECT_EQ(ask("/dashboard/api/state", {{"after", after}})->status, http::kBadRequest) << after;
  }
  EXPECT_EQ(ask("/dashboard/api/explain")->status, http::kBadRequest);
  EXPECT_EQ(ask("/dashboard/api/explain", {{"path", "f"}, {"offset", "x"}})->status, http::kBadRequest);
  EXPECT_EQ(ask("/dashboard/api/explain", {{"path", "f"}})->status, http::kUnavailable) << "there is no node";
}

TEST_F(DashboardTest, NamesThatAreNoTextDoNotBreakTheDocument) {
  tier_.add("a")->bucketViews = {bucketOf("a\"b\\c\n\xFF<img>", 1, "admit")};
  const auto answer = ask("/dashboard/api/state");
  ASSERT_EQ(answer->status, http::kOk);
  EXPECT_EQ(json::parse(answer->body)["buckets"][0]["name"], "a\"b\\c\n\xEF\xBF\xBD<img>");
}

TEST_F(DashboardTest, ExplainsByTheNode) {
  tier_.add("a");
  const auto answer = ask("/dashboard/api/explain", {{"path", "f"}, {"job", "j"}});
  ASSERT_EQ(answer->status, http::kOk);
  EXPECT_EQ(json::parse(answer->body)["words"], "a says so to j");
}

}  // namespace
}  // namespace shift::dashboard
