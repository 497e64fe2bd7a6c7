#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/Result.h"
#include "gms/spec/TextRules.h"

namespace shift::gms {

/** What a choice is called in JSON, and on the wire. */
struct NamedChoice {
  std::string_view name;
  std::int32_t value;
};

/** The name of a value; "unknown(7)" for one that this release does not know. */
std::string nameOf(std::span<const NamedChoice> choices, std::int32_t value);

/** JSON of any shape, but not nested deeper than any of ours. The error says where it is broken. */
Result<nlohmann::json> parseJson(std::string_view text);

/** JSON as one line; never fails. */
std::string writeJson(const nlohmann::json& value);

/**
 * Reads the fields of one JSON object and enters every fault: wrong types, missing and unknown fields. A
 * field that is absent, or at fault, is answered with nothing. Borrows all it is given; one thread.
 *
 *   JsonFields fields(json, "dataset", faults);
 *   if (const auto epochs = fields.whole("epochs")) …
 *   fields.refuseOthers();
 */
class JsonFields {
 public:
  /** `path`: what the object is called in faults; empty for the outermost. */
  JsonFields(const nlohmann::json& object, std::string path, Faults& faults);

  std::optional<std::string> text(const char* key);
  std::optional<std::int64_t> whole(const char* key);
  std::optional<double> number(const char* key);
  std::optional<bool> flag(const char* key);
  std::optional<std::int32_t> choice(const char* key, std::span<const NamedChoice> choices);
  std::optional<std::vector<std::string>> texts(const char* key);
  /** An array whose elements the caller reads, each as an object of its own. */
  const nlohmann::json* array(const char* key);
  const nlohmann::json* object(const char* key);
  /** The objects of a list, each handed to `read` under its own name, and read to its last field. */
  void each(const char* key, const std::function<void(JsonFields&)>& read);

  /** Says that a field must be there. */
  void require(const char* key);
  /** Fields that only the store sets: what was answered may be sent back. */
  void ignore(std::initializer_list<const char*> keys);
  /** Enters every field that was not asked for. */
  void refuseOthers();

  /** "dataset.epochs" */
  std::string nameOfField(std::string_view key) const;

 private:
  const nlohmann::json* find(const char* key);
  template <typename Is>
  const nlohmann::json* findOfType(const char* key, const char* type, Is is);

  const nlohmann::json& object_;
  const std::string path_;
  Faults& faults_;
  std::set<std::string, std::less<>> known_;
};

/** The entries of a list of objects. */
template <typename T>
std::vector<T> readEach(JsonFields& fields, const char* key, T (*read)(JsonFields&)) {
  std::vector<T> entries;
  fields.each(key, [&](JsonFields& entry) { entries.push_back(read(entry)); });
  return entries;
}

}  // namespace shift::gms
