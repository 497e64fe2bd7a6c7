#include "gms/rest/RestApi.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "gms/json/EntityJson.h"
#include "gms/json/JobJson.h"
#include "gms/json/ReportJson.h"
#include "gms/rest/RestText.h"

namespace shift::gms {
namespace {

using nlohmann::json;

constexpr int kOk = 200;
constexpr int kNoContent = 204;
constexpr int kBadRequest = 400;
constexpr int kNotFound = 404;
constexpr int kMethodNotAllowed = 405;
constexpr int kConflict = 409;
constexpr int kUnavailable = 503;

RestResponse answer(const json& body) {
  return {kOk, writeJson(body)};
}

RestResponse refusalOf(const Error& error) {
  std::vector<std::string> faults;
  std::istringstream lines(error.message);
  for (std::string line; std::getline(lines, line);) {
    faults.push_back(line);
  }
  switch (error.code) {
    case ErrorCode::kInvalidArgument:
      return refusal(kBadRequest, "invalid", faults);
    case ErrorCode::kNotFound:
      return refusal(kNotFound, "not_found", faults);
    case ErrorCode::kAlreadyExists:
      return refusal(kConflict, "conflict", faults);
    default:
      return refusal(kUnavailable, "unavailable", faults);
  }
}

template <typename T>
RestResponse answerOrRefuse(const Result<T>& result) {
  return result ? answer(toJson(*result)) : refusalOf(result.error());
}

RestResponse doneOrRefuse(const Status& status) {
  return status ? RestResponse{kNoContent, ""} : refusalOf(status.error());
}

template <typename T>
json listOf(const std::vector<T>& entries) {
  json list = json::array();
  for (const T& entry : entries) {
    list.push_back(toJson(entry));
  }
  return list;
}

/** The parameters of a query; every one that is wrong or unknown is a fault. */
class Query {
 public:
  explicit Query(const RestRequest& request) : left_(request.query) {}

  std::string text(const std::string& key) {
    const auto found = left_.extract(key);
    return found.empty() ? "" : found.mapped();
  }

  std::optional<std::int64_t> whole(const std::string& key) {
    const std::string given = text(key);
    if (given.empty()) {
      return std::nullopt;
    }
    std::int64_t number = 0;
    const auto parsed = std::from_chars(given.data(), given.data() + given.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != given.data() + given.size()) {
      faults_.push_back(fmt::format("{} must be a whole number", key));
      return std::nullopt;
    }
    return number;
  }

  std::optional<std::int32_t> limit() {
    const std::optional<std::int64_t> given = whole("limit");
    return given ? std::optional(static_cast<std::int32_t>(std::clamp<std::int64_t>(*given, -1, 1'000'000)))
                 : std::nullopt;
  }

  void addFault(std::string fault) { faults_.push_back(std::move(fault)); }

  /** To be asked last: what is left was not expected. */
  std::vector<std::string> faults() {
    for (const auto& [key, value] : left_) {
      faults_.push_back(fmt::format("\"{}\" is no known parameter", key.substr(0, 100)));
    }
    return faults_;
  }

 private:
  std::map<std::string, std::string> left_;
  std::vector<std::string> faults_;
};

/** The body as a JSON object whose `keyField` is what the path says. */
Result<json> bodyWithKey(const RestRequest& request, const char* keyField, const std::string& key) {
  Result<json> body = parseJson(request.body);
  if (!body || !body->is_object()) {
    return body;
  }
  const auto given = body->find(keyField);
  if (given != body->end() && *given != key) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} in the body is not that of the path, \"{}\"", keyField, key)};
  }
  (*body)[keyField] = key;
  return body;
}

/** Reads the body, and hands it on if it is what it should be. */
template <typename Entity, typename Then>
RestResponse withBody(const Result<json>& body, Entity (*read)(const json&, Faults&), Then then) {
  if (!body) {
    return refusalOf(body.error());
  }
  Faults faults;
  const Entity entity = read(*body, faults);
  return faults.empty() ? then(entity) : refusal(kBadRequest, "invalid", faults);
}

/** A job from a body. If its types are wrong, what else is wrong with it is said too. */
template <typename Then>
RestResponse withJob(const Result<json>& body, JobStore& jobs, Then then) {
  if (!body) {
    return refusalOf(body.error());
  }
  Faults faults;
  const wire::Job job = jobFromJson(*body, faults);
  if (faults.empty()) {
    return then(job);
  }
  if (body->is_object()) {
    const Result<Faults> senseless = jobs.faultsIn(job);
    if (!senseless) {
      return refusalOf(senseless.error());
    }
    faults.insert(faults.end(), senseless->begin(), senseless->end());
  }
  return refusal(kBadRequest, "invalid", faults);
}

std::vector<std::int32_t> statesIn(const std::string& names, Query& query) {
  std::vector<std::int32_t> states;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    const auto known = std::ranges::find(jobStates(), name, &NamedChoice::name);
    if (known == jobStates().end()) {
      query.addFault(
          "state must be queued, running, finished, failed or expired, or several of them with commas");
    } else {
      states.push_back(known->value);
    }
  }
  return states;
}

}  // namespace

RestResponse refusal(int status, std::string_view kind, const std::vector<std::string>& faults) {
  return {status, writeJson({{"error", kind}, {"faults", faults}})};
}

RestApi::RestApi(Stores& stores, MetadataStore& metadata) : stores_(stores), metadata_(metadata) {
  addJobRoutes();
  addEntityRoutes("tables", stores_.tables, "name", &tableFromJson);
  addEntityRoutes("rules", stores_.rules, "id", &ruleFromJson);
  addEntityRoutes("members", stores_.members, "id", &memberFromJson);
  addParameterRoutes();
  addOtherRoutes();
}

RestResponse RestApi::handle(const RestRequest& request) const {
  bool isKnownPath = false;
  for (const Route& route : routes_) {
    const auto names = matchPath(route.pattern, request.path);
    if (names && route.method == request.method) {
      return route.handler({request, *names});
    }
    isKnownPath |= names.has_value();
  }
  return isKnownPath ? refusal(kMethodNotAllowed, "not_allowed", {request.method + " is not possible here"})
                     : refusal(kNotFound, "not_found", {"there is nothing at this path"});
}

std::vector<RestApi::RouteName> RestApi::routes() const {
  std::vector<RouteName> names;
  for (const Route& route : routes_) {
    names.push_back({route.method, route.pattern});
  }
  return names;
}

void RestApi::addJobRoutes() {
  routes_.push_back({"GET", "/v1/jobs", [this](const Call& call) {
                       Query query(call.request);
                       wire::JobQuery wanted;
                       wanted.__set_states(statesIn(query.text("state"), query));
                       wanted.__set_owner(query.text("owner"));
                       wanted.__set_table(query.text("table"));
                       wanted.__set_after(query.text("after"));
                       if (const auto limit = query.limit()) {
                         wanted.__set_limit(*limit);
                       }
                       if (const auto faults = query.faults(); !faults.empty()) {
                         return refusal(kBadRequest, "invalid", faults);
                       }
                       const Result<wire::JobPage> page = stores_.jobs.listJobs(wanted);
                       if (!page) {
                         return refusalOf(page.error());
                       }
                       json body = {{"jobs", listOf(page->jobs)}};
                       if (page->__isset.last) {
                         body["next"] = page->last;
                       }
                       return answer(body);
                     }});
  routes_.push_back({"POST", "/v1/jobs", [this](const Call& call) {
                       return withJob(parseJson(call.request.body), stores_.jobs, [&](const wire::Job& job) {
                         return answerOrRefuse(stores_.jobs.registerJob(job, call.request.caller));
                       });
                     }});
  routes_.push_back({"GET", "/v1/jobs/{id}", [this](const Call& call) {
                       return answerOrRefuse(stores_.jobs.getJob(call.names[0]));
                     }});
  routes_.push_back({"PUT", "/v1/jobs/{id}", [this](const Call& call) {
                       return withJob(
                           bodyWithKey(call.request, "id", call.names[0]), stores_.jobs,
                           [&](const wire::Job& job) {
                             return answerOrRefuse(stores_.jobs.replaceJob(job, call.request.caller));
                           });
                     }});
  routes_.push_back(
      {"PATCH", "/v1/jobs/{id}", [this](const Call& call) {
         return withBody(parseJson(call.request.body), &patchFromJson, [&](const wire::JobPatch& patch) {
           return answerOrRefuse(stores_.jobs.changeJob(call.names[0], patch, call.request.caller));
         });
       }});
  routes_.push_back({"DELETE", "/v1/jobs/{id}", [this](const Call& call) {
                       return doneOrRefuse(stores_.jobs.deleteJob(call.names[0], call.request.caller));
                     }});
}

template <typename Store, typename Entity>
void RestApi::addEntityRoutes(const std::string& plural, Store& store, const char* keyField,
                              Entity (*read)(const json&, Faults&)) {
  const std::string all = "/v1/" + plural;
  const std::string one = fmt::format("{}/{{{}}}", all, keyField);
  routes_.push_back({"GET", all, [&store, plural](const Call&) {
                       const auto entries = store.list();
                       return entries ? answer({{plural, listOf(*entries)}}) : refusalOf(entries.error());
                     }});
  routes_.push_back(
      {"GET", one, [&store](const Call& call) { return answerOrRefuse(store.get(call.names[0])); }});
  routes_.push_back({"PUT", one, [&store, keyField, read](const Call& call) {
                       return withBody(bodyWithKey(call.request, keyField, call.names[0]), read,
                                       [&](const Entity& entity) {
                                         return answerOrRefuse(store.put(entity, call.request.caller));
                                       });
                     }});
  routes_.push_back({"DELETE", one, [&store](const Call& call) {
                       return doneOrRefuse(store.remove(call.names[0], call.request.caller));
                     }});
}

void RestApi::addParameterRoutes() {
  routes_.push_back(
      {"GET", "/v1/parameters", [this](const Call&) {
         const auto entries = stores_.parameters.list();
         return entries ? answer({{"parameters", listOf(*entries)}}) : refusalOf(entries.error());
       }});
  // Of every node, and of one.
  const auto add = [this](const std::string& pattern, auto keyOf) {
    routes_.push_back({"PUT", pattern, [this, keyOf](const Call& call) {
                         const auto [node, name] = keyOf(call.names);
                         Result<json> body = bodyWithKey(call.request, "name", name);
                         if (body && body->is_object()) {
                           (*body)["node"] = node;
                         }
                         return withBody(body, &parameterFromJson, [&](const wire::Parameter& parameter) {
                           return answerOrRefuse(stores_.parameters.put(parameter, call.request.caller));
                         });
                       }});
    routes_.push_back({"DELETE", pattern, [this, keyOf](const Call& call) {
                         const auto [node, name] = keyOf(call.names);
                         return doneOrRefuse(
                             stores_.parameters.remove(node + "/" + name, call.request.caller));
                       }});
  };
  using Names = std::vector<std::string>;
  add("/v1/parameters/{name}", [](const Names& names) { return std::pair(std::string(), names[0]); });
  add("/v1/nodes/{node}/parameters/{name}", [](const Names& names) { return std::pair(names[0], names[1]); });
}

void RestApi::addOtherRoutes() {
  routes_.push_back({"GET", "/v1/audit", [this](const Call& call) {
                       Query query(call.request);
                       wire::AuditQuery wanted;
                       wanted.__set_kind(query.text("kind"));
                       wanted.__set_key(query.text("key"));
                       if (const auto before = query.whole("before_revision")) {
                         wanted.__set_beforeRevision(*before);
                       }
                       if (const auto limit = query.limit()) {
                         wanted.__set_limit(*limit);
                       }
                       if (const auto faults = query.faults(); !faults.empty()) {
                         return refusal(kBadRequest, "invalid", faults);
                       }
                       const auto entries = stores_.audit.list(wanted);
                       return entries ? answer({{"audit", listOf(*entries)}}) : refusalOf(entries.error());
                     }});
  routes_.push_back(
      {"POST", "/v1/reports", [this](const Call& call) {
         return withBody(parseJson(call.request.body), &reportFromJson, [&](const wire::Report& report) {
           const auto outcome = stores_.reports.report(report);
           return outcome ? answer({{"unknown_jobs", outcome->unknownJobs}}) : refusalOf(outcome.error());
         });
       }});
  routes_.push_back({"GET", "/v1/status", [this](const Call&) {
                       const auto revision = metadata_.read([](Database& database) -> Result<std::int64_t> {
                         return database.query("SELECT revision FROM store").at(0).number(0);
                       });
                       return revision ? answer({{"status", "ok"},
                                                 {"database", metadata_.description()},
                                                 {"revision", *revision}})
                                       : refusalOf(revision.error());
                     }});
}

}  // namespace shift::gms
