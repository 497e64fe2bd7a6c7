#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"

namespace shift {

/** Bad configuration at start: every fault that was found, one line each. main() prints it and exits with 2.
 */
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(std::vector<std::string> faults);
  const std::vector<std::string>& faults() const { return faults_; }

 private:
  std::vector<std::string> faults_;
};

/**
 * The configuration of one program, described once: name, place, limits and meaning of each key. From that
 * one description files are read, `--set key=value` is applied and the whole is printed.
 *
 * Each key is bound to a variable whose present value is the default. Dotted keys are TOML tables:
 * "cache.dram" is `dram` below `[cache]`. A schema lives no longer than the variables bound to it; one
 * thread.
 *
 *   NodeConfig config;
 *   ConfigSchema schema;
 *   schema.byteSize("cache.dram", config.dram, 1 * kMiB, 1 * kTiB, "memory for cached segments");
 *   schema.load("node.toml", {"cache.dram=2GiB"});   // throws ConfigError with all faults
 */
class ConfigSchema {
 public:
  void text(std::string_view key, std::string& target, std::string_view help);
  /** In a file `["a", "b"]`, in an override `a,b`. */
  void textList(std::string_view key, std::vector<std::string>& target, std::string_view help);
  void choice(std::string_view key, std::string& target, std::initializer_list<std::string_view> allowed,
              std::string_view help);
  void flag(std::string_view key, bool& target, std::string_view help);
  void integer(std::string_view key, std::uint32_t& target, std::uint32_t min, std::uint32_t max,
               std::string_view help);
  void real(std::string_view key, double& target, double min, double max, std::string_view help);
  void byteSize(std::string_view key, std::uint64_t& target, std::uint64_t min, std::uint64_t max,
                std::string_view help);
  void duration(std::string_view key, Duration& target, Duration min, Duration max, std::string_view help);
  void address(std::string_view key, HostPort& target, std::string_view help);

  /** A rule over several keys. Returns what is wrong, or nothing. Asked last, when each key by itself is
   * right. */
  void rule(std::function<std::string()> check);

  /**
   * Reads the file (an empty path: none), then applies `overrides` ("key=value"), then asks the rules. Throws
   * ConfigError with every fault: wrong types, values out of range, unknown keys, each with file and line.
   */
  void load(const std::string& path, std::span<const std::string> overrides);

  struct Setting {
    std::string key;
    std::string value;  // as TOML
    std::string help;
  };
  /** Each key with its present value, in the order in which they were described. */
  std::vector<Setting> settings() const;

  /** The whole configuration as it stands, as a TOML file with the meaning of each key above it. */
  std::string print() const;

 private:
  /** What a value was written as, so that `port = "7000"` is told from `port = 7000`. */
  enum class Written { kString, kInteger, kReal, kBoolean, kList, kOverride };
  struct Scalar {
    Written written;
    std::string text;
    std::vector<std::string> list = {};  // of a kList
  };
  struct Field {
    std::string key;
    std::string help;
    std::string limits;                             // "from 1MiB to 1TiB", for print(); may be empty
    std::function<std::string(const Scalar&)> set;  // what is wrong with the value, or nothing
    std::function<std::string()> show;              // the present value, as TOML
  };
  class Loader;

  void add(std::string_view key, std::string_view help, std::string limits,
           std::function<std::string(const Scalar&)> set, std::function<std::string()> show);
  const Field* find(std::string_view key) const;
  std::string unknownKey(std::string_view key) const;

  std::vector<Field> fields_;
  std::vector<std::function<std::string()>> rules_;
};

}  // namespace shift
