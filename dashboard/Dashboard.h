#pragma once

#include <functional>
#include <optional>

#include "dashboard/Monitor.h"
#include "http/HttpServer.h"

namespace shift::dashboard {

/**
 * The pages of the dashboard: the page itself at /dashboard/ (`/` leads there), and what it asks for at
 * /dashboard/api/state?after=MS and /dashboard/api/explain?path=&offset=&job=. Reads only. Thread-safe.
 */
class Dashboard {
 public:
  /** When the nodes are asked: by whoever calls poll() in the background, or for each look at the state. */
  enum class Polls { kInBackground, kWhenAsked };

  /** `monitor` outlives the dashboard. */
  Dashboard(Monitor& monitor, Polls polls) : monitor_(monitor), polls_(polls) {}

  /** Nothing if the path is none of the dashboard's. */
  std::optional<http::Response> handle(const http::Request& request) const;

 private:
  http::Response state(const http::Request& request) const;
  http::Response explain(const http::Request& request) const;

  Monitor& monitor_;
  const Polls polls_;
};

}  // namespace shift::dashboard
