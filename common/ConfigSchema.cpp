#include "common/ConfigSchema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>

#include "common/ByteSize.h"
#include "common/Duration.h"

namespace shift {
namespace {

std::string quoted(std::string_view text) {
  std::ostringstream out;
  const toml::value<std::string> value{std::string(text)};
  out << toml::toml_formatter{value, toml::format_flags::none};
  return out.str();
}

std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

bool isListOfText(const toml::array& array) {
  return std::all_of(array.begin(), array.end(), [](const toml::node& entry) { return entry.is_string(); });
}

std::vector<std::string> textsOf(const toml::array& array) {
  std::vector<std::string> texts;
  for (const toml::node& entry : array) {
    texts.push_back(entry.value_or(std::string()));
  }
  return texts;
}

std::vector<std::string> splitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

template <typename Number>
bool parseWhole(std::string_view text, Number& number) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size();
}

std::string outOfRange(std::string_view text, std::string_view limits) {
  return fmt::format("{} is out of range; allowed: {}", text, limits);
}

}  // namespace

ConfigError::ConfigError(std::vector<std::string> faults)
    : std::runtime_error(fmt::format("{}", fmt::join(faults, "\n"))), faults_(std::move(faults)) {}

/** One load(): goes through the file's keys and gathers the faults. */
class ConfigSchema::Loader {
 public:
  Loader(ConfigSchema& schema, const std::string& path) : schema_(schema), path_(path) {}

  void readFile() {
    try {
      walk(toml::parse_file(path_), "");
    } catch (const toml::parse_error& fault) {
      const auto line = fault.source().begin.line;
      faults_.push_back(line > 0 ? fmt::format("{}:{}: {}", path_, line, fault.description())
                                 : fmt::format("{}: {}", path_, fault.description()));
    }
  }

  void apply(const std::string& override) {
    const std::size_t equals = override.find('=');
    if (equals == std::string::npos || equals == 0) {
      faults_.push_back(fmt::format("--set {}: write key=value", override));
      return;
    }
    set(override.substr(0, equals), {Written::kOverride, override.substr(equals + 1)},
        fmt::format("--set {}", override));
  }

  void askRules() {
    if (!faults_.empty()) {
      return;
    }
    for (const auto& check : schema_.rules_) {
      if (std::string fault = check(); !fault.empty()) {
        faults_.push_back(std::move(fault));
      }
    }
  }

  void throwIfFaulty() {
    if (!faults_.empty()) {
      throw ConfigError(std::move(faults_));
    }
  }

 private:
  void walk(const toml::table& table, const std::string& prefix) {
    for (const auto& [name, node] : table) {
      const std::string key = prefix + std::string(name.str());
      if (const toml::table* below = node.as_table()) {
        walk(*below, key + ".");
        continue;
      }
      const std::string where = fmt::format("{}:{}", path_, node.source().begin.line);
      if (const auto* value = node.as_string()) {
        set(key, {Written::kString, value->get()}, where);
      } else if (const auto* number = node.as_integer()) {
        set(key, {Written::kInteger, std::to_string(number->get())}, where);
      } else if (const auto* real = node.as_floating_point()) {
        set(key, {Written::kReal, fmt::format("{}", real->get())}, where);
      } else if (const auto* boolean = node.as_boolean()) {
        set(key, {Written::kBoolean, boolean->get() ? "true" : "false"}, where);
      } else if (const auto* array = node.as_array(); array != nullptr && isListOfText(*array)) {
        set(key, {Written::kList, "a list", textsOf(*array)}, where);
      } else {
        faults_.push_back(
            fmt::format("{}: {}: dates and lists of anything but text are not used here", where, key));
      }
    }
  }

  void set(const std::string& key, const Scalar& value, const std::string& where) {
    const Field* field = schema_.find(key);
    const std::string fault = field == nullptr ? schema_.unknownKey(key) : field->set(value);
    if (!fault.empty()) {
      faults_.push_back(field == nullptr ? fmt::format("{}: {}", where, fault)
                                         : fmt::format("{}: {}: {}", where, key, fault));
    }
  }

  ConfigSchema& schema_;
  const std::string& path_;
  std::vector<std::string> faults_;
};

void ConfigSchema::text(std::string_view key, std::string& target, std::string_view help) {
  add(
      key, help, "",
      [&target](const Scalar& value) -> std::string {
        if (value.written != Written::kString && value.written != Written::kOverride) {
          return fmt::format("must be text in quotes, as in \"{}\"", value.text);
        }
        target = value.text;
        return "";
      },
      [&target] { return quoted(target); });
}

void ConfigSchema::textList(std::string_view key, std::vector<std::string>& target, std::string_view help) {
  add(
      key, help, "",
      [&target](const Scalar& value) -> std::string {
        if (value.written != Written::kList && value.written != Written::kOverride) {
          return "must be a list of texts, as in [\"a\", \"b\"]";
        }
        target = value.written == Written::kList ? value.list : splitAtCommas(value.text);
        return "";
      },
      [&target] {
        std::vector<std::string> shown;
        for (const std::string& entry : target) {
          shown.push_back(quoted(entry));
        }
        return fmt::format("[{}]", fmt::join(shown, ", "));
      });
}

void ConfigSchema::choice(std::string_view key, std::string& target,
                          std::initializer_list<std::string_view> allowed, std::string_view help) {
  const std::vector<std::string> names(allowed.begin(), allowed.end());
  const std::string limits = fmt::format("one of {}", fmt::join(names, ", "));
  add(
      key, help, limits,
      [&target, names, limits](const Scalar& value) -> std::string {
        const bool typed = value.written == Written::kString || value.written == Written::kOverride;
        if (!typed || std::find(names.begin(), names.end(), value.text) == names.end()) {
          return fmt::format("\"{}\" is not known; allowed: {}", value.text, limits);
        }
        target = value.text;
        return "";
      },
      [&target] { return quoted(target); });
}

void ConfigSchema::flag(std::string_view key, bool& target, std::string_view help) {
  add(
      key, help, "",
      [&target](const Scalar& value) -> std::string {
        const bool typed = value.written == Written::kBoolean || value.written == Written::kOverride;
        if (!typed || (value.text != "true" && value.text != "false")) {
          return "must be true or false, without quotes";
        }
        target = value.text == "true";
        return "";
      },
      [&target] { return target ? "true" : "false"; });
}

void ConfigSchema::integer(std::string_view key, std::uint32_t& target, std::uint32_t min, std::uint32_t max,
                           std::string_view help) {
  const std::string limits = fmt::format("from {} to {}", min, max);
  add(
      key, help, limits,
      [&target, min, max, limits](const Scalar& value) -> std::string {
        const bool typed = value.written == Written::kInteger || value.written == Written::kOverride;
        std::int64_t number = 0;
        if (!typed || !parseWhole(value.text, number)) {
          return "must be a whole number, without quotes";
        }
        if (number < min || number > max) {
          return outOfRange(value.text, limits);
        }
        target = static_cast<std::uint32_t>(number);
        return "";
      },
      [&target] { return std::to_string(target); });
}

void ConfigSchema::real(std::string_view key, double& target, double min, double max, std::string_view help) {
  const std::string limits = fmt::format("from {} to {}", min, max);
  add(
      key, help, limits,
      [&target, min, max, limits](const Scalar& value) -> std::string {
        const bool typed = value.written != Written::kString && value.written != Written::kBoolean;
        double number = 0;
        if (!typed || !parseWhole(value.text, number)) {
          return "must be a number, without quotes";
        }
        if (!(number >= min && number <= max)) {
          return outOfRange(value.text, limits);
        }
        target = number;
        return "";
      },
      [&target] {
        const std::string shown = fmt::format("{}", target);
        return shown.find_first_of(".e") == std::string::npos ? shown + ".0" : shown;
      });
}

void ConfigSchema::byteSize(std::string_view key, std::uint64_t& target, std::uint64_t min, std::uint64_t max,
                            std::string_view help) {
  const std::string limits = fmt::format("from {} to {}", formatExactByteSize(min), formatExactByteSize(max));
  add(
      key, help, limits,
      [&target, min, max, limits](const Scalar& value) -> std::string {
        const Result<std::uint64_t> bytes = parseByteSize(value.text);
        if (!bytes) {
          return bytes.error().message;
        }
        if (*bytes < min || *bytes > max) {
          return outOfRange(value.text, limits);
        }
        target = *bytes;
        return "";
      },
      [&target] { return quoted(formatExactByteSize(target)); });
}

void ConfigSchema::duration(std::string_view key, Duration& target, Duration min, Duration max,
                            std::string_view help) {
  const std::string limits = fmt::format("from {} to {}", formatDuration(min), formatDuration(max));
  add(
      key, help, limits,
      [&target, min, max, limits](const Scalar& value) -> std::string {
        const Result<Duration> parsed = parseDuration(value.text);
        if (!parsed) {
          return parsed.error().message;
        }
        if (*parsed < min || *parsed > max) {
          return outOfRange(value.text, limits);
        }
        target = *parsed;
        return "";
      },
      [&target] { return quoted(formatDuration(target)); });
}

void ConfigSchema::address(std::string_view key, HostPort& target, std::string_view help) {
  add(
      key, help, "",
      [&target](const Scalar& value) -> std::string {
        const Result<HostPort> parsed = parseHostPort(value.text);
        if (!parsed) {
          return parsed.error().message;
        }
        target = *parsed;
        return "";
      },
      [&target] { return quoted(toString(target)); });
}

void ConfigSchema::rule(std::function<std::string()> check) {
  rules_.push_back(std::move(check));
}

void ConfigSchema::load(const std::string& path, std::span<const std::string> overrides) {
  Loader loader(*this, path);
  if (!path.empty()) {
    loader.readFile();
  }
  for (const std::string& override : overrides) {
    loader.apply(override);
  }
  loader.askRules();
  loader.throwIfFaulty();
}

std::vector<ConfigSchema::Setting> ConfigSchema::settings() const {
  std::vector<Setting> all;
  all.reserve(fields_.size());
  for (const Field& field : fields_) {
    all.push_back({field.key, field.show(), field.help});
  }
  return all;
}

std::string ConfigSchema::print() const {
  // A table is written once, and what belongs to none comes first: later it would belong to the table before.
  std::vector<std::pair<std::string, std::string>> tables{{"", ""}};
  for (const Field& field : fields_) {
    const std::size_t dot = field.key.rfind('.');
    const std::string name = dot == std::string::npos ? "" : field.key.substr(0, dot);
    auto table =
        std::find_if(tables.begin(), tables.end(), [&](const auto& each) { return each.first == name; });
    if (table == tables.end()) {
      table = tables.insert(table, {name, fmt::format("[{}]\n", name)});
    }
    const std::string limits = field.limits.empty() ? "" : fmt::format(" ({})", field.limits);
    table->second +=
        fmt::format("# {}{}\n{} = {}\n", field.help, limits,
                    dot == std::string::npos ? field.key : field.key.substr(dot + 1), field.show());
  }
  std::string out;
  for (const auto& [name, text] : tables) {
    out += (out.empty() || text.empty() ? "" : "\n") + text;
  }
  return out;
}

void ConfigSchema::add(std::string_view key, std::string_view help, std::string limits,
                       std::function<std::string(const Scalar&)> set, std::function<std::string()> show) {
  fields_.push_back(
      {std::string(key), std::string(help), std::move(limits), std::move(set), std::move(show)});
}

const ConfigSchema::Field* ConfigSchema::find(std::string_view key) const {
  const auto found =
      std::find_if(fields_.begin(), fields_.end(), [&](const Field& field) { return field.key == key; });
  return found == fields_.end() ? nullptr : &*found;
}

std::string ConfigSchema::unknownKey(std::string_view key) const {
  const auto nearest = std::min_element(fields_.begin(), fields_.end(), [&](const Field& a, const Field& b) {
    return editDistance(a.key, key) < editDistance(b.key, key);
  });
  if (nearest != fields_.end() && editDistance(nearest->key, key) <= 3) {
    return fmt::format("unknown key \"{}\"; did you mean \"{}\"?", key, nearest->key);
  }
  return fmt::format("unknown key \"{}\"; --print-config lists the known ones", key);
}

}  // namespace shift
