#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gms/store/Stores.h"

namespace shift::gms {

/** One HTTP request, as the server understood it. */
struct RestRequest {
  std::string method;                        // "GET"
  std::string path;                          // as it was sent: "/v1/jobs/train%2F7"
  std::map<std::string, std::string> query;  // decoded
  std::string body;
  wire::Caller caller;
};

struct RestResponse {
  int status = 200;
  std::string body;  // JSON; empty with status 204
};

/** A refusal in the one form that all have: what kind it is, and every fault. */
RestResponse refusal(int status, std::string_view kind, const std::vector<std::string>& faults);

/**
 * The REST face of the stores, without any network: what each request means and what is answered.
 * openapi.json beside it says the same for people and programs. Thread-safe; borrows the stores.
 */
class RestApi {
 public:
  RestApi(Stores& stores, MetadataStore& metadata);

  RestResponse handle(const RestRequest& request) const;

  struct RouteName {
    std::string method;
    std::string pattern;  // "/v1/jobs/{id}"
  };
  std::vector<RouteName> routes() const;

 private:
  /** A request to a route, with what stands in the places of {…}. */
  struct Call {
    const RestRequest& request;
    const std::vector<std::string>& names;
  };
  using Handler = std::function<RestResponse(const Call&)>;
  struct Route {
    std::string method;
    std::string pattern;
    Handler handler;
  };

  void addJobRoutes();
  void addParameterRoutes();
  void addOtherRoutes();
  /** list, get, put and delete of one kind of entry. */
  template <typename Store, typename Entity>
  void addEntityRoutes(const std::string& plural, Store& store, const char* keyField,
                       Entity (*read)(const nlohmann::json&, Faults&));

  Stores& stores_;
  MetadataStore& metadata_;
  std::vector<Route> routes_;
};

}  // namespace shift::gms
