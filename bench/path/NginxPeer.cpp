#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <vector>

#include "bench/path/Peers.h"
#include "bench/path/TextPeer.h"

namespace shift::bench {
namespace {

class RangeRequests final : public Dialect {
 public:
  explicit RangeRequests(const Dataset& dataset) : dataset_(dataset) {}

  std::string request(std::size_t item) const override {
    const std::size_t begin = dataset_.offsetOf(item);
    return fmt::format("GET /{} HTTP/1.1\r\nHost: bench\r\nRange: bytes={}-{}\r\n\r\n", Dataset::kFileName,
                       begin, begin + dataset_.itemBytes() - 1);
  }

  std::optional<AnswerShape> shapeOf(std::string_view begin) const override {
    const std::size_t end = begin.find("\r\n\r\n");
    if (end == std::string_view::npos) {
      return std::nullopt;
    }
    if (!begin.starts_with("HTTP/1.1 206 ")) {
      throw std::runtime_error("nginx answers: " + std::string(begin.substr(0, end)));
    }
    return AnswerShape{.headerBytes = end + 4,
                       .bodyBytes = numberAfter("Content-Length: ", begin.substr(0, end))};
  }

 private:
  const Dataset& dataset_;
};

/** Everything but the servers. Workers stay who started them: the directories belong to that user. */
std::string configuration(const std::string& directory, const std::string& servers) {
  return fmt::format(R"(daemon off;
user {user};
worker_processes 2;
pid {directory}/nginx.pid;
error_log stderr error;
events {{
  worker_connections 2048;
}}
http {{
  access_log off;
  sendfile on;
  sendfile_max_chunk 2m;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_timeout 1h;
  keepalive_requests 1000000000;
  open_file_cache max=100000 inactive=1h;
  open_file_cache_valid 1h;
  open_file_cache_min_uses 1;
  client_body_temp_path {directory}/body;
  proxy_temp_path {directory}/proxy;
  fastcgi_temp_path {directory}/fastcgi;
  uwsgi_temp_path {directory}/uwsgi;
  scgi_temp_path {directory}/scgi;
{servers}
}}
)",
                     fmt::arg("user", ::geteuid() == 0 ? "root" : "nobody"), fmt::arg("directory", directory),
                     fmt::arg("servers", servers));
}

std::unique_ptr<Daemon> start(const std::string& directory,
                              const std::function<std::string(const HostPort&)>& servers) {
  return std::make_unique<Daemon>(directory, "nginx", [&](const HostPort& listen) {
    const std::string file = directory + "/nginx.conf";
    std::ofstream(file) << configuration(directory, servers(listen));
    return std::vector<std::string>{"/usr/sbin/nginx", "-c", file, "-p", directory, "-e", "stderr"};
  });
}

}  // namespace

std::unique_ptr<Contestant> startNginxFiles(const std::string& directory, const Dataset& dataset) {
  auto daemon = start(directory, [&](const HostPort& listen) {
    return fmt::format("  server {{\n    listen {};\n    root {};\n  }}", toString(listen),
                       dataset.directory());
  });
  return std::make_unique<TextPeer>("nginx, files", std::move(daemon),
                                    std::make_unique<RangeRequests>(dataset));
}

std::unique_ptr<Contestant> startNginxCache(const std::string& directory, const Dataset& dataset) {
  auto daemon = start(directory, [&](const HostPort& listen) {
    return fmt::format(
        R"(  proxy_cache_path {directory}/cache keys_zone=items:32m max_size=64g inactive=1d use_temp_path=off;
  server {{
    listen unix:{directory}/origin;
    root {root};
  }}
  server {{
    listen {listen};
    location / {{
      slice {slice};
      proxy_cache items;
      proxy_cache_key $uri$slice_range;
      proxy_set_header Range $slice_range;
      proxy_http_version 1.1;
      proxy_cache_valid 200 206 1d;
      proxy_pass http://unix:{directory}/origin;
    }}
  }})",
        fmt::arg("directory", directory), fmt::arg("root", dataset.directory()),
        fmt::arg("listen", toString(listen)), fmt::arg("slice", dataset.itemBytes()));
  });
  auto peer = std::make_unique<TextPeer>("nginx, slice cache", std::move(daemon),
                                         std::make_unique<RangeRequests>(dataset));
  const std::unique_ptr<Session> filling = peer->connect();
  std::vector<std::byte> buffer(dataset.itemBytes());
  for (std::size_t item = 0; item < dataset.items(); ++item) {
    filling->read(item, buffer);
  }
  return peer;
}

}  // namespace shift::bench
