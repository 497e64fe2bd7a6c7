#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "common/HostPort.h"
#include "common/Result.h"

namespace shift::http {

inline constexpr int kOk = 200;
inline constexpr int kFound = 302;
inline constexpr int kNotModified = 304;
inline constexpr int kBadRequest = 400;
inline constexpr int kNotFound = 404;
inline constexpr int kMethodNotAllowed = 405;
inline constexpr int kTooLarge = 413;
inline constexpr int kInternalError = 500;
inline constexpr int kUnavailable = 503;
inline constexpr const char* kPlainText = "text/plain; charset=utf-8";

/** One request, as the server understood it. */
struct Request {
  std::string method;                        // "GET"
  std::string path;                          // as it was sent: "/v1/jobs/train%2F7"
  std::map<std::string, std::string> query;  // decoded; repeated keys with commas between their values
  std::string body;
  std::string remoteAddress;
  /** The value of a header, whatever its case; empty if it is not there. */
  std::function<std::string(const char* name)> header;
};

struct Response {
  int status = kOk;
  std::string body;
  std::string contentType = kPlainText;
  std::map<std::string, std::string> headers = {};  // beside the content's own
};

/** Answers requests; called by several threads at once. */
using Handler = std::function<Response(const Request&)>;
/** The form of an answer to what never reached the handler, or threw out of it. */
using Refusal = std::function<Response(int status, const std::string& fault)>;

/** A refusal as one line of text. */
Response plainRefusal(int status, const std::string& fault);

struct HttpServerConfig {
  HostPort listen;
  std::uint32_t threads = 2;  // requests that are served at once
  std::size_t maxBody = 0;    // of a request, in bytes
  Refusal refuse = &plainRefusal;
};

/**
 * Serves HTTP from start() until the destructor. Bodies, idle connections and slow ones are limited. A
 * handler that throws is answered with 500, and what it threw is in the log.
 */
class HttpServer {
 public:
  static Result<std::unique_ptr<HttpServer>> start(const HttpServerConfig& config, Handler handler);
  ~HttpServer();

  /** Where it listens; with the port that was found if 0 was asked for. */
  const HostPort& address() const;

 private:
  struct Running;
  explicit HttpServer(std::unique_ptr<Running> running);

  std::unique_ptr<Running> running_;
};

}  // namespace shift::http
