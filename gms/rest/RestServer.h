#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "gms/rest/RestApi.h"
#include "http/HttpServer.h"

namespace shift::gms {

/** Pages beside the REST face; nothing if the path is none of theirs. */
using OtherPages = std::function<std::optional<http::Response>(const http::Request&)>;

/** Told of each request once it is answered. */
using RestObserver = std::function<void(const std::string& method, int status, Duration took)>;

struct RestServerConfig {
  HostPort listen;
  std::uint32_t threads = 2;  // requests that are served at once
  OtherPages otherPages;      // may be empty
  RestObserver observer;      // may be empty
};

/**
 * Serves the REST face over HTTP. The header X-Shift-Actor says who asks, Idempotency-Key under which request
 * id. `api` and `clock` outlive the server.
 */
Result<std::unique_ptr<http::HttpServer>> startRestServer(const RestServerConfig& config, const RestApi& api,
                                                          const Clock& clock);

}  // namespace shift::gms
