#include "tools/sim/JsonLine.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace shift::sim {

struct JsonLine::Object {
  nlohmann::ordered_json json;

  template <typename Value>
  void set(std::string_view key, const Value& value) {
    json[std::string(key)] = value;
  }
};

JsonLine::JsonLine() : object_(std::make_unique<Object>()) {}

JsonLine::~JsonLine() = default;

JsonLine& JsonLine::add(std::string_view key, std::string_view text) {
  object_->set(key, text);
  return *this;
}

JsonLine& JsonLine::add(std::string_view key, double number) {
  object_->set(key, number);
  return *this;
}

JsonLine& JsonLine::add(std::string_view key, std::uint64_t number) {
  object_->set(key, number);
  return *this;
}

JsonLine& JsonLine::add(std::string_view key, bool value) {
  object_->set(key, value);
  return *this;
}

JsonLine& JsonLine::add(std::string_view key, std::optional<double> number) {
  if (number.has_value()) {
    object_->set(key, *number);
  } else {
    object_->set(key, nullptr);
  }
  return *this;
}

void JsonLine::print() const {
  fmt::print("{}\n", object_->json.dump());
  std::fflush(stdout);
}

}  // namespace shift::sim
