#include "http/HttpServer.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>

#include "common/Log.h"

namespace shift::http {
namespace {

constexpr std::chrono::seconds kSocketTimeout{10};
/** An idle connection keeps a thread: not for long. */
constexpr time_t kKeepAliveSeconds = 2;

Request toRequest(const httplib::Request& request) {
  Request out;
  out.method = request.method;
  out.path = request.target.substr(0, request.target.find('?'));
  for (const auto& [key, value] : request.params) {
    // state=a&state=b says the same as state=a,b.
    std::string& known = out.query[key];
    known += (known.empty() ? "" : ",") + value;
  }
  out.body = request.body;
  out.remoteAddress = request.remote_addr;
  out.header = [&request](const char* name) { return request.get_header_value(name); };
  return out;
}

/** By a provider, which the library sends as it is: what it is handed as a text it compresses for whoever
 * says that he takes that, at many times the cost of all the rest. */
void give(Response answer, httplib::Response& response) {
  response.status = answer.status;
  for (const auto& [name, value] : answer.headers) {
    response.set_header(name, value);
  }
  if (answer.body.empty()) {
    return;
  }
  const auto body = std::make_shared<const std::string>(std::move(answer.body));
  response.set_content_provider(body->size(), answer.contentType,
                                [body](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                  return sink.write(body->data() + offset, length);
                                });
}

std::string whatOf(const std::exception_ptr& fault) {
  try {
    std::rethrow_exception(fault);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "not an exception of ours";
  }
}

void limit(httplib::Server& server, const HttpServerConfig& config) {
  server.new_task_queue = [threads = config.threads] { return new httplib::ThreadPool(threads); };
  server.set_payload_max_length(config.maxBody);
  server.set_read_timeout(kSocketTimeout);
  server.set_write_timeout(kSocketTimeout);
  server.set_keep_alive_timeout(kKeepAliveSeconds);
  server.set_tcp_nodelay(true);
  // The library's default lets a second server share the port unnoticed.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
}

void route(httplib::Server& server, const HttpServerConfig& config, Handler handler) {
  // What the library refuses by itself has no content yet.
  server.set_error_handler(
      httplib::Server::Handler([refuse = config.refuse, maxBody = config.maxBody](
                                   const httplib::Request&, httplib::Response& response) {
        if (!response.has_header("Content-Type")) {
          const std::string fault = response.status == kTooLarge
                                        ? fmt::format("the body is larger than {} bytes", maxBody)
                                        : "the request is not one of HTTP that is understood here";
          give(refuse(response.status, fault), response);
        }
      }));
  server.set_exception_handler([refuse = config.refuse](const httplib::Request& request,
                                                        httplib::Response& response,
                                                        const std::exception_ptr& fault) {
    logError(fmt::format("{} {}: {}", request.method, request.path, whatOf(fault)));
    give(refuse(kInternalError, "the request could not be served; the server's log says why"), response);
  });
  const auto serve = [handler = std::move(handler)](const httplib::Request& request,
                                                    httplib::Response& response) {
    give(handler(toRequest(request)), response);
  };
  constexpr const char* kAnyPath = R"([\s\S]*)";
  server.Get(kAnyPath, serve);
  server.Post(kAnyPath, serve);
  server.Put(kAnyPath, serve);
  server.Patch(kAnyPath, serve);
  server.Delete(kAnyPath, serve);
}

}  // namespace

struct HttpServer::Running {
  HostPort address;
  httplib::Server server;
  std::atomic<bool> ended = false;  // the thread is through, for whatever reason
  std::thread thread;
};

Response plainRefusal(int status, const std::string& fault) {
  return {status, fault + "\n", kPlainText};
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpServerConfig& config, Handler handler) {
  auto running = std::make_unique<Running>();
  httplib::Server& server = running->server;
  limit(server, config);
  route(server, config, std::move(handler));

  const HostPort& listen = config.listen;
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

}  // namespace shift::http
