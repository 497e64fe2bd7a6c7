#include "gms/json/JsonFields.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace shift::gms {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 16;

/** The library says "[json.exception.parse_error.101] parse error at line 1 …"; people need only the latter.
 */
std::string withoutTag(const std::string& message) {
  const std::size_t end = message.find("] ");
  return end == std::string::npos ? message : message.substr(end + 2);
}

struct TooDeep {};

}  // namespace

std::string nameOf(std::span<const NamedChoice> choices, std::int32_t value) {
  const auto found = std::ranges::find(choices, value, &NamedChoice::value);
  return found == choices.end() ? fmt::format("unknown({})", value) : std::string(found->name);
}

Result<json> parseJson(std::string_view text) {
  try {
    return json::parse(text, [](int depth, json::parse_event_t, json&) {
      if (depth > kMaxDepth) {
        throw TooDeep();
      }
      return true;
    });
  } catch (const json::exception& fault) {
    // What the library quotes of the input may be anything, and long.
    return Error{ErrorCode::kInvalidArgument, "this is not JSON: " + withoutTag(fault.what()).substr(0, 200)};
  } catch (const TooDeep&) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the JSON is nested deeper than {} levels", kMaxDepth)};
  }
}

std::string writeJson(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

JsonFields::JsonFields(const json& object, std::string path, Faults& faults)
    : object_(object), path_(std::move(path)), faults_(faults) {
  if (!object_.is_object()) {
    faults_.push_back(
        fmt::format("{} must be an object, not {}", path_.empty() ? "the body" : path_, object_.type_name()));
  }
}

std::string JsonFields::nameOfField(std::string_view key) const {
  return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

const json* JsonFields::find(const char* key) {
  known_.insert(key);
  if (!object_.is_object()) {
    return nullptr;
  }
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

template <typename Is>
const json* JsonFields::findOfType(const char* key, const char* type, Is is) {
  const json* value = find(key);
  if (value != nullptr && !is(*value)) {
    faults_.push_back(fmt::format("{} must be {}, not {}", nameOfField(key), type, value->type_name()));
    return nullptr;
  }
  return value;
}

std::optional<std::string> JsonFields::text(const char* key) {
  const json* value = findOfType(key, "a string", [](const json& one) { return one.is_string(); });
  return value == nullptr ? std::nullopt : std::optional(value->get<std::string>());
}

std::optional<std::int64_t> JsonFields::whole(const char* key) {
  const json* value = findOfType(key, "a whole number", [](const json& one) {
    // The largest unsigned numbers do not fit the wire's.
    return one.is_number_integer() && !(one.is_number_unsigned() && one.get<std::uint64_t>() > INT64_MAX);
  });
  return value == nullptr ? std::nullopt : std::optional(value->get<std::int64_t>());
}

std::optional<double> JsonFields::number(const char* key) {
  const json* value = findOfType(key, "a number", [](const json& one) { return one.is_number(); });
  return value == nullptr ? std::nullopt : std::optional(value->get<double>());
}

std::optional<bool> JsonFields::flag(const char* key) {
  const json* value = findOfType(key, "true or false", [](const json& one) { return one.is_boolean(); });
  return value == nullptr ? std::nullopt : std::optional(value->get<bool>());
}

std::optional<std::int32_t> JsonFields::choice(const char* key, std::span<const NamedChoice> choices) {
  const std::optional<std::string> name = text(key);
  if (!name) {
    return std::nullopt;
  }
  const auto found = std::ranges::find(choices, *name, &NamedChoice::name);
  if (found != choices.end()) {
    return found->value;
  }
  std::string names;
  for (const NamedChoice& choice : choices) {
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", choice.name);
  }
  faults_.push_back(fmt::format("{} must be one of {}", nameOfField(key), names));
  return std::nullopt;
}

std::optional<std::vector<std::string>> JsonFields::texts(const char* key) {
  const json* values = array(key);
  if (values == nullptr) {
    return std::nullopt;
  }
  std::vector<std::string> texts;
  texts.reserve(values->size());
  for (std::size_t i = 0; i < values->size(); ++i) {
    const json& value = (*values)[i];
    if (value.is_string()) {
      texts.push_back(value.get<std::string>());
    } else {
      faults_.push_back(
          fmt::format("{}[{}] must be a string, not {}", nameOfField(key), i, value.type_name()));
    }
  }
  return texts;
}

const json* JsonFields::array(const char* key) {
  return findOfType(key, "a list", [](const json& one) { return one.is_array(); });
}

const json* JsonFields::object(const char* key) {
  return findOfType(key, "an object", [](const json& one) { return one.is_object(); });
}

void JsonFields::each(const char* key, const std::function<void(JsonFields&)>& read) {
  if (const json* entries = array(key)) {
    for (std::size_t i = 0; i < entries->size(); ++i) {
      JsonFields entry((*entries)[i], fmt::format("{}[{}]", nameOfField(key), i), faults_);
      read(entry);
      entry.refuseOthers();
    }
  }
}

void JsonFields::require(const char* key) {
  if (object_.is_object() && find(key) == nullptr) {
    faults_.push_back(nameOfField(key) + " is missing");
  }
}

void JsonFields::ignore(std::initializer_list<const char*> keys) {
  known_.insert(keys.begin(), keys.end());
}

void JsonFields::refuseOthers() {
  if (!object_.is_object()) {
    return;
  }
  for (const auto& [key, value] : object_.items()) {
    if (!known_.contains(key)) {
      faults_.push_back(fmt::format("{} is no known field", nameOfField(key.substr(0, 100))));
    }
  }
}

}  // namespace shift::gms
