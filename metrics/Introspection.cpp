#include "metrics/Introspection.h"

#include <algorithm>
#include <array>

namespace shift::metrics {
namespace {

/** The version of the text format, as Prometheus asks for it. */
constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";
constexpr const char* kTomlType = "application/toml; charset=utf-8";

http::Response readinessPage(const Facts& facts) {
  const Readiness readiness = facts.readiness();
  return {readiness.isReady ? http::kOk : http::kUnavailable, readiness.says, http::kPlainText};
}

struct Page {
  std::string_view path;
  http::Response (*make)(const Facts&);
};

constexpr std::array<Page, 4> kPages = {{
    {"/metrics",
     [](const Facts& facts) {
       return http::Response{http::kOk, facts.metrics(), kMetricsType};
     }},
    {"/healthz",
     [](const Facts&) {
       return http::Response{http::kOk, "ok\n", http::kPlainText};
     }},
    {"/readyz", &readinessPage},
    {"/config",
     [](const Facts& facts) {
       return http::Response{http::kOk, facts.config(), kTomlType};
     }},
}};

}  // namespace

std::optional<http::Response> introspect(const Facts& facts, const http::Request& request) {
  const auto* const page = std::ranges::find(kPages, request.path, &Page::path);
  if (page == kPages.end()) {
    return std::nullopt;
  }
  const bool reads = request.method == "GET" || request.method == "HEAD";
  return reads ? page->make(facts)
               : http::plainRefusal(http::kMethodNotAllowed, request.method + " is not possible here");
}

http::Handler introspection(Facts facts) {
  return [facts = std::move(facts)](const http::Request& request) {
    std::optional<http::Response> page = introspect(facts, request);
    return page ? *std::move(page)
                : http::plainRefusal(http::kNotFound,
                                     "there is nothing at this path; there are /metrics, /healthz, /readyz "
                                     "and /config");
  };
}

}  // namespace shift::metrics
