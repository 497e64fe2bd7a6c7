#pragma once

#include <functional>
#include <optional>
#include <string>

#include "http/HttpServer.h"

namespace shift::metrics {

/** Whether a server can do its work, and what is to be said about it. */
struct Readiness {
  bool isReady = false;
  std::string says;  // a line or more, each with its end
};

/** What a server tells about itself; each is asked anew for every request, by any thread. */
struct Facts {
  std::function<std::string()> metrics;  // in Prometheus' text format
  std::function<Readiness()> readiness;
  std::function<std::string()> config;  // as TOML, without secrets
};

/**
 * The four pages that every server has: /metrics, /healthz (200 as long as the process answers at all),
 * /readyz (200 or 503, and why) and /config. Nothing if the path is another.
 */
std::optional<http::Response> introspect(const Facts& facts, const http::Request& request);

/** The same for a server that has no other pages. */
http::Handler introspection(Facts facts);

}  // namespace shift::metrics
