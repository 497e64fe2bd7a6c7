#include "gms/rest/RestServer.h"

namespace shift::gms {
namespace {

/** The largest spec, with room for how JSON writes it. */
constexpr std::size_t kMaxBody = 8 * 1024 * 1024;
constexpr const char* kJson = "application/json";

RestRequest toRequest(const http::Request& request) {
  RestRequest out;
  out.method = request.method;
  out.path = request.path;
  out.query = request.query;
  out.body = request.body;
  const std::string actor = request.header("X-Shift-Actor");
  out.caller.__set_actor(actor.empty() ? request.remoteAddress : actor);
  out.caller.__set_requestId(request.header("Idempotency-Key"));
  return out;
}

http::Response toHttp(RestResponse answer) {
  return {answer.status, std::move(answer.body), kJson};
}

http::Response refuse(int status, const std::string& fault) {
  const char* const kind = status == http::kTooLarge        ? "too_large"
                           : status == http::kInternalError ? "internal"
                                                            : "invalid";
  return toHttp(refusal(status, kind, {fault}));
}

}  // namespace

Result<std::unique_ptr<http::HttpServer>> startRestServer(const RestServerConfig& config, const RestApi& api,
                                                          const Clock& clock) {
  auto handle = [&api, &clock, pages = config.otherPages,
                 observer = config.observer](const http::Request& request) {
    const TimePoint began = clock.now();
    std::optional<http::Response> page = pages ? pages(request) : std::nullopt;
    http::Response response = page ? *std::move(page) : toHttp(api.handle(toRequest(request)));
    if (observer) {
      observer(request.method, response.status, clock.now() - began);
    }
    return response;
  };
  return http::HttpServer::start(
      {.listen = config.listen, .threads = config.threads, .maxBody = kMaxBody, .refuse = &refuse},
      std::move(handle));
}

}  // namespace shift::gms
