#include <fmt/format.h>

#include <fstream>
#include <set>

#include "tests/unit/gms/rest/RestFixture.h"

namespace shift::gms {
namespace {

using nlohmann::json;

/** Walks gms/openapi.json against a live server: what it says is what is served, and all that is served. */
class OpenApiTest : public RestFixture {
 protected:
  OpenApiTest() {
    std::ifstream file(SHIFT_OPENAPI_FILE);
    document_ = json::parse(file);
  }

  const json& resolved(const json& schema) const {
    if (!schema.contains("$ref")) {
      return schema;
    }
    return document_.at(json::json_pointer(schema.at("$ref").get<std::string>().substr(1)));
  }

  /** Everything in which the value is not what the schema says. */
  void compare(const json& value, const json& given, const std::string& where,
               std::vector<std::string>& faults) const {
    const json& schema = resolved(given);
    const std::string type = schema.value("type", "");
    const bool fits = type.empty() || (type == "object" && value.is_object()) ||
                      (type == "array" && value.is_array()) || (type == "string" && value.is_string()) ||
                      (type == "integer" && value.is_number_integer()) ||
                      (type == "number" && value.is_number()) || (type == "boolean" && value.is_boolean());
    if (!fits) {
      faults.push_back(fmt::format("{} is no {}: {}", where, type, value.dump()));
      return;
    }
    if (schema.contains("enum") && std::ranges::find(schema.at("enum"), value) == schema.at("enum").end()) {
      faults.push_back(fmt::format("{} is none of its choices: {}", where, value.dump()));
    }
    if (value.is_array() && schema.contains("items")) {
      for (const json& entry : value) {
        compare(entry, schema.at("items"), where + "[]", faults);
      }
    }
    if (type != "object") {
      return;
    }
    for (const json& field : schema.value("required", json::array())) {
      if (!value.contains(field.get<std::string>())) {
        faults.push_back(fmt::format("{} lacks {}", where, field.dump()));
      }
    }
    for (const auto& [field, entry] : value.items()) {
      if (schema.at("properties").contains(field)) {
        compare(entry, schema.at("properties").at(field), where + "." + field, faults);
      } else {
        faults.push_back(fmt::format("{}.{} is not in the file", where, field));
      }
    }
  }

  void expectAsDescribed(const json& operation, const Answer& answer, int status, const std::string& what) {
    const std::string code = std::to_string(status);
    ASSERT_TRUE(operation.at("responses").contains(code)) << what << " may answer " << code;
    EXPECT_EQ(answer.status, status) << what << ": " << answer.body.dump();
    const json& response = operation.at("responses").at(code);
    std::vector<std::string> faults;
    if (response.contains("content")) {
      compare(answer.body, response.at("content").at("application/json").at("schema"), what, faults);
    } else if (!answer.body.is_null()) {
      faults.push_back(what + " answers a body");
    }
    EXPECT_THAT(faults, testing::IsEmpty());
  }

  /** The path with the examples of its parameters in their places, or with this name in each. */
  static std::string pathWith(std::string path, const json& operation, const std::string& name = "") {
    for (const json& parameter : operation.value("parameters", json::array())) {
      if (parameter.value("in", "") == "path") {
        const std::string place = "{" + parameter.at("name").get<std::string>() + "}";
        path.replace(path.find(place), place.size(),
                     name.empty() ? parameter.at("example").get<std::string>() : name);
      }
    }
    return path;
  }

  static std::string bodyOf(const json& operation) {
    return operation.contains("requestBody")
               ? operation.at("requestBody").at("content").at("application/json").at("example").dump()
               : "";
  }

  /** Each operation of one method, in the order of paths. */
  template <typename Visit>
  void each(const std::string& method, Visit visit) const {
    for (const auto& [path, operations] : document_.at("paths").items()) {
      if (operations.contains(method)) {
        std::string upper = method;
        std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
        visit(path, upper, operations.at(method));
      }
    }
  }

  json document_;
};

TEST_F(OpenApiTest, DescribesEveryRouteThatIsServedAndNoOther) {
  std::set<std::string> described;
  for (const char* method : {"get", "put", "post", "patch", "delete"}) {
    each(method, [&](const std::string& path, const std::string& upper, const json&) {
      described.insert(upper + " " + path);
    });
  }
  std::set<std::string> served;
  for (const RestApi::RouteName& route : api_->routes()) {
    served.insert(route.method + " " + route.pattern);
  }
  EXPECT_EQ(described, served);
}

TEST_F(OpenApiTest, EveryExampleIsAnsweredAsDescribed) {
  putTable();
  for (const std::string method : {"put", "post", "patch", "get", "delete"}) {
    if (method == "delete") {
      ask("DELETE", "/v1/jobs/train-8");  // which was posted: its table could not go
    }
    each(method, [&](const std::string& path, const std::string& upper, const json& operation) {
      const std::string body = bodyOf(operation);
      if (!body.empty()) {
        std::vector<std::string> faults;
        const json& content = operation.at("requestBody").at("content").at("application/json");
        compare(content.at("example"), content.at("schema"), "the example of " + path, faults);
        EXPECT_THAT(faults, testing::IsEmpty());
      }
      const Answer answer = ask(upper, pathWith(path, operation), body);
      expectAsDescribed(operation, answer, operation.at("responses").contains("204") ? 204 : 200,
                        upper + " " + path);
    });
  }
}

TEST_F(OpenApiTest, EveryRefusalIsDescribedToo) {
  for (const char* method : {"put", "post", "patch", "get", "delete"}) {
    each(method, [&](const std::string& path, const std::string& upper, const json& operation) {
      const std::string what = upper + " " + path;
      if (operation.at("responses").contains("404")) {
        expectAsDescribed(operation, ask(upper, pathWith(path, operation, "ghost"), bodyOf(operation)), 404,
                          what);
      }
      if (operation.at("responses").contains("400")) {
        const bool hasBody = operation.contains("requestBody");
        const std::string wrong = pathWith(path, operation) + (hasBody ? "" : "?nonsense=1");
        expectAsDescribed(operation, ask(upper, wrong, hasBody ? R"({"nonsense": 1})" : ""), 400, what);
      }
    });
  }
}

}  // namespace
}  // namespace shift::gms
