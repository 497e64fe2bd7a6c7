#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "gms/rest/RestServer.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::gms {

/** A live server over a fresh database, and somebody who asks it. */
class RestFixture : public testing::Test {
 protected:
  RestFixture() {
    clock_.advance(std::chrono::hours(1000));
    metadata_ = *MetadataStore::open(directory_ / "gms.sqlite", clock_);
    stores_ = std::make_unique<Stores>(*metadata_, [](const wire::Table&) -> Result<TableListing> {
      return Error{ErrorCode::kInvalidArgument, "no store here"};
    });
    api_ = std::make_unique<RestApi>(*stores_, *metadata_);
    server_ = *startRestServer({.listen = {"127.0.0.1", 0}, .threads = 2}, *api_, clock_);
    client_ = std::make_unique<httplib::Client>("127.0.0.1", server_->address().port);
    client_->set_read_timeout(60);
  }

  struct Answer {
    int status = 0;
    nlohmann::json body;  // null if there is none
  };

  Answer ask(const std::string& method, const std::string& path, const std::string& body = "",
             const httplib::Headers& headers = {}) {
    httplib::Request request;
    request.method = method;
    request.path = path;
    request.body = body;
    request.headers = headers;
    if (!body.empty()) {
      request.set_header("Content-Type", "application/json");
    }
    const httplib::Result result = client_->send(request);
    if (!result) {
      ADD_FAILURE() << method << " " << path << ": " << httplib::to_string(result.error());
      return {};
    }
    return {result->status, result->body.empty() ? nlohmann::json() : nlohmann::json::parse(result->body)};
  }

  void putTable() {
    ASSERT_EQ(ask("PUT", "/v1/tables/clicks", R"({"store": "warehouse", "root": "clicks"})").status, 200);
  }

  test::TemporaryDirectory directory_;
  ManualClock clock_;
  std::unique_ptr<MetadataStore> metadata_;
  std::unique_ptr<Stores> stores_;
  std::unique_ptr<RestApi> api_;
  std::unique_ptr<http::HttpServer> server_;
  std::unique_ptr<httplib::Client> client_;
};

}  // namespace shift::gms
