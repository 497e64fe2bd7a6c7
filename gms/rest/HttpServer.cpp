#include "gms/rest/HttpServer.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>

#include "common/Log.h"

namespace shift::gms {
namespace {

/** The largest spec, with room for how JSON writes it. */
constexpr std::size_t kMaxBody = 8 * 1024 * 1024;
constexpr std::chrono::seconds kSocketTimeout{10};
/** An idle connection keeps a thread: not for long. */
constexpr time_t kKeepAliveSeconds = 2;
constexpr int kTooLarge = 413;
constexpr int kInternalError = 500;
constexpr const char* kJson = "application/json";

RestRequest toRequest(const httplib::Request& request) {
  RestRequest out;
  out.method = request.method;
  out.path = request.target.substr(0, request.target.find('?'));
  for (const auto& [key, value] : request.params) {
    // state=a&state=b says the same as state=a,b.
    std::string& known = out.query[key];
    known += (known.empty() ? "" : ",") + value;
  }
  out.body = request.body;
  const std::string actor = request.get_header_value("X-Shift-Actor");
  out.caller.__set_actor(actor.empty() ? request.remote_addr : actor);
  out.caller.__set_requestId(request.get_header_value("Idempotency-Key"));
  return out;
}

void give(const RestResponse& answer, httplib::Response& response) {
  response.status = answer.status;
  if (!answer.body.empty()) {
    response.set_content(answer.body, kJson);
  }
}

/** What the library refuses by itself has no body yet. */
void explain(const httplib::Request&, httplib::Response& response) {
  if (response.body.empty()) {
    const std::string fault = response.status == kTooLarge
                                  ? fmt::format("the body is larger than {} bytes", kMaxBody)
                                  : "the request is not one of HTTP that is understood here";
    give(refusal(response.status, response.status == kTooLarge ? "too_large" : "invalid", {fault}), response);
  }
}

void confess(const httplib::Request& request, httplib::Response& response, const std::exception_ptr& fault) {
  std::string what = "unknown";
  try {
    std::rethrow_exception(fault);
  } catch (const std::exception& known) {
    what = known.what();
  } catch (...) {
    what = "not an exception of ours";
  }
  logError(fmt::format("{} {}: {}", request.method, request.path, what));
  give(refusal(kInternalError, "internal", {"the request could not be served; the GMS's log says why"}),
       response);
}

}  // namespace

struct HttpServer::Running {
  HostPort address;
  httplib::Server server;
  std::atomic<bool> ended = false;  // the thread is through, for whatever reason
  std::thread thread;
};

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HostPort& listen, std::uint32_t threads,
                                                      const RestApi& api) {
  auto running = std::make_unique<Running>();
  httplib::Server& server = running->server;
  server.new_task_queue = [threads] { return new httplib::ThreadPool(threads); };
  server.set_payload_max_length(kMaxBody);
  server.set_read_timeout(kSocketTimeout);
  server.set_write_timeout(kSocketTimeout);
  server.set_keep_alive_timeout(kKeepAliveSeconds);
  server.set_tcp_nodelay(true);
  // The library's default lets a second server share the port unnoticed.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_error_handler(httplib::Server::Handler(explain));
  server.set_exception_handler(confess);
  const auto serve = [&api](const httplib::Request& request, httplib::Response& response) {
    give(api.handle(toRequest(request)), response);
  };
  constexpr const char* kAnyPath = R"([\s\S]*)";
  server.Get(kAnyPath, serve);
  server.Post(kAnyPath, serve);
  server.Put(kAnyPath, serve);
  server.Patch(kAnyPath, serve);
  server.Delete(kAnyPath, serve);

  int port = listen.port;
  if (port == 0) {
    port = server.bind_to_any_port(listen.host);
  } else if (!server.bind_to_port(listen.host, port)) {
    port = -1;
  }
  if (port < 0) {
    return Error{ErrorCode::kAlreadyExists,
                 fmt::format("cannot listen on {}: the port is taken, or the address is not this machine's",
                             toString(listen))};
  }
  running->address = {listen.host, static_cast<std::uint16_t>(port)};
  running->thread = std::thread([&server, &ended = running->ended] {
    server.listen_after_bind();
    ended = true;
  });
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(running)));
}

HttpServer::HttpServer(std::unique_ptr<Running> running) : running_(std::move(running)) {}

HttpServer::~HttpServer() {
  // stop() means nothing to a server that has not begun to listen.
  while (!running_->server.is_running() && !running_->ended) {
    std::this_thread::yield();
  }
  running_->server.stop();
  running_->thread.join();
}

const HostPort& HttpServer::address() const {
  return running_->address;
}

}  // namespace shift::gms
