#include "dashboard/Dashboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "dashboard/PageFiles.h"

namespace shift::dashboard {
namespace {

using nlohmann::json;

constexpr std::string_view kRoot = "/dashboard/";

struct ContentType {
  std::string_view ending;
  const char* type;
};
constexpr std::array<ContentType, 4> kContentTypes = {{{".html", "text/html; charset=utf-8"},
                                                       {".css", "text/css; charset=utf-8"},
                                                       {".js", "text/javascript; charset=utf-8"},
                                                       {".svg", "image/svg+xml"}}};

/** A browser opens several connections, and one that stays open would keep a thread of the server. */
std::map<std::string, std::string> headers(std::map<std::string, std::string> more) {
  more.emplace("Connection", "close");
  more.emplace("X-Content-Type-Options", "nosniff");
  return more;
}

http::Response jsonResponse(int status, const json& value) {
  // Names of buckets and jobs are whatever clients sent: bytes that are no text are replaced.
  return {status, value.dump(-1, ' ', false, json::error_handler_t::replace), "application/json",
          headers({{"Cache-Control", "no-store"}})};
}

http::Response refuse(int status, const std::string& why) {
  return jsonResponse(status, {{"error", why}});
}

http::Response redirect() {
  // Relative, so that it also holds behind a proxy that serves the tier below a path of its own.
  return {http::kFound, "", http::kPlainText, headers({{"Location", "dashboard/"}})};
}

http::Response pageFile(const http::Request& request, std::string_view name) {
  const std::span<const PageFile> files = pageFiles();
  const auto file = std::ranges::find(files, name.empty() ? "index.html" : name, &PageFile::name);
  if (file == files.end()) {
    return refuse(http::kNotFound, "the dashboard has no such page");
  }
  auto with = headers({{"Cache-Control", "no-cache"},
                       {"ETag", std::string(file->etag)},
                       {"Content-Security-Policy",
                        "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}});
  if (request.header("If-None-Match") == file->etag) {
    return {http::kNotModified, "", http::kPlainText, std::move(with)};
  }
  const auto* const type = std::ranges::find_if(
      kContentTypes, [&](const ContentType& known) { return file->name.ends_with(known.ending); });
  return {http::kOk, std::string(file->content),
          type == kContentTypes.end() ? "application/octet-stream" : type->type, std::move(with)};
}

std::string parameter(const http::Request& request, const char* name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? "" : found->second;
}

/** A whole number from 0 up; `otherwise` if it was not given, nothing if it is none. */
std::optional<std::int64_t> number(const http::Request& request, const char* name, std::int64_t otherwise) {
  const std::string text = parameter(request, name);
  if (text.empty()) {
    return otherwise;
  }
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isWhole = fault == std::errc() && end == text.data() + text.size() && value >= 0;
  return isWhole ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<http::Response> Dashboard::handle(const http::Request& request) const {
  const std::string_view path = request.path;
  const bool isMine = path == "/" || path == "/dashboard" || path.starts_with(kRoot);
  if (!isMine) {
    return std::nullopt;
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return refuse(http::kMethodNotAllowed, request.method + " is not possible here");
  }
  if (!path.starts_with(kRoot)) {
    return redirect();
  }
  const std::string_view name = path.substr(kRoot.size());
  if (name == "api/state") {
    return state(request);
  }
  if (name == "api/explain") {
    return explain(request);
  }
  return pageFile(request, name);
}

http::Response Dashboard::state(const http::Request& request) const {
  const std::optional<std::int64_t> afterMs = number(request, "after", 0);
  if (!afterMs) {
    return refuse(http::kBadRequest, "after: must be a time in milliseconds since 1970");
  }
  monitor_.watch();
  if (polls_ == Polls::kWhenAsked) {
    monitor_.poll();
  }
  return jsonResponse(http::kOk, monitor_.state(*afterMs));
}

http::Response Dashboard::explain(const http::Request& request) const {
  const std::string path = parameter(request, "path");
  const std::optional<std::int64_t> offset = number(request, "offset", 0);
  if (path.empty() || !offset) {
    return refuse(http::kBadRequest, path.empty() ? "path: say which file, below the store's root"
                                                  : "offset: must be a whole number of bytes");
  }
  if (polls_ == Polls::kWhenAsked) {
    monitor_.poll();
  }
  const Result<json> story =
      monitor_.explain(path, static_cast<std::uint64_t>(*offset), parameter(request, "job"));
  if (!story) {
    const bool isCallersFault = story.error().code == ErrorCode::kInvalidArgument;
    return refuse(isCallersFault ? http::kBadRequest : http::kUnavailable, story.error().message);
  }
  return jsonResponse(http::kOk, *story);
}

}  // namespace shift::dashboard
