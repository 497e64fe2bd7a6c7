#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace shift::sim {

/** One JSON object on one line of standard output, its keys in the order in which they were added. */
class JsonLine {
 public:
  JsonLine();
  ~JsonLine();
  JsonLine(const JsonLine&) = delete;
  JsonLine& operator=(const JsonLine&) = delete;

  JsonLine& add(std::string_view key, std::string_view text);
  JsonLine& add(std::string_view key, double number);
  JsonLine& add(std::string_view key, std::uint64_t number);
  JsonLine& add(std::string_view key, bool value);
  /** null if there is none. */
  JsonLine& add(std::string_view key, std::optional<double> number);

  void print() const;

 private:
  struct Object;
  std::unique_ptr<Object> object_;
};

}  // namespace shift::sim
