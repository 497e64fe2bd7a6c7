#include "http/HttpServer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <stdexcept>

namespace shift::http {
namespace {

using testing::HasSubstr;

/** Answers with what it was asked; has nothing at /absent, has moved from /moved, and throws at /throw. */
Response echo(const Request& request) {
  if (request.path == "/throw") {
    throw std::runtime_error("on purpose");
  }
  if (request.path == "/absent") {
    return plainRefusal(kNotFound, "not here");
  }
  if (request.path == "/moved") {
    return {kFound, "", kPlainText, {{"Location", "elsewhere"}}};
  }
  const auto found = request.query.find("q");
  return {kOk, request.method + " " + request.path +
                   " q=" + (found == request.query.end() ? "" : found->second) +
                   " from=" + request.header("X-From") + " body=" + request.body};
}

class HttpServerTest : public testing::Test {
 protected:
  HttpServerTest()
      : server_(*HttpServer::start({.listen = {"127.0.0.1", 0}, .maxBody = 100}, &echo)),
        client_("127.0.0.1", server_->address().port) {
    client_.set_read_timeout(60);
  }

  std::unique_ptr<HttpServer> server_;
  httplib::Client client_;
};

TEST_F(HttpServerTest, HandsRequestsOnAsTheyWereSent) {
  const auto answer = client_.Get("/a%2Fb?q=1&q=2", {{"x-from", "ann"}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "GET /a%2Fb q=1,2 from=ann body=");
  EXPECT_EQ(answer->get_header_value("Content-Type"), kPlainText);
  EXPECT_EQ(client_.Post("/x", "words", "text/plain")->body, "POST /x q= from= body=words");
}

TEST_F(HttpServerTest, SendsAnswersAsTheyAreAlsoToThoseWhoTakeThemCompressed) {
  client_.set_decompress(false);
  const auto answer = client_.Get("/a", {{"Accept-Encoding", "br, gzip"}});
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->has_header("Content-Encoding"));
  EXPECT_EQ(answer->body, "GET /a q= from= body=");
}

TEST_F(HttpServerTest, SendsTheHeadersOfAnAnswer) {
  const auto answer = client_.Get("/moved");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 302);
  EXPECT_EQ(answer->get_header_value("Location"), "elsewhere");
}

TEST_F(HttpServerTest, WhatTheHandlerRefusesIsItsOwnToSay) {
  const auto answer = client_.Get("/absent");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 404);
  EXPECT_EQ(answer->body, "not here\n");
}

TEST_F(HttpServerTest, AHandlerThatThrowsIsAnsweredAndTheServerGoesOn) {
  const auto answer = client_.Get("/throw");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 500);
  EXPECT_THAT(answer->body, HasSubstr("log says why"));
  EXPECT_EQ(client_.Get("/a")->status, 200);
}

TEST_F(HttpServerTest, RefusesBodiesBeyondTheLimit) {
  const auto answer = client_.Post("/x", std::string(101, 'x'), "text/plain");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 413);
  EXPECT_EQ(answer->body, "the body is larger than 100 bytes\n");
}

TEST_F(HttpServerTest, AnOccupiedPortIsNamed) {
  const auto second = HttpServer::start({.listen = server_->address()}, &echo);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("cannot listen on " + toString(server_->address())));
}

TEST_F(HttpServerTest, CanEndBeforeAnybodyAsked) {
  server_.reset();
  EXPECT_FALSE(client_.Get("/a"));
}

}  // namespace
}  // namespace shift::http
