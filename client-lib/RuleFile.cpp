#include "client-lib/RuleFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <set>

#include "common/ByteSize.h"

namespace shift::client {
namespace {

class RuleReader {
 public:
  explicit RuleReader(const std::string& path) : path_(path) {}

  Result<Eligibility> read() {
    toml::table file;
    try {
      file = toml::parse_file(path_);
    } catch (const toml::parse_error& fault) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}:{}: {}", path_, fault.source().begin.line, fault.description())};
    }
    for (const auto& [key, node] : file) {
      const bool isRule = key.str() == "rule";
      if (key.str() == "disks" && node.as_table() != nullptr) {
        readDisks(*node.as_table());
      } else if ((isRule || key.str() == "table") && node.as_array() != nullptr) {
        for (const toml::node& entry : *node.as_array()) {
          const toml::table* const table = entry.as_table();
          if (table == nullptr) {
            fault(entry, fmt::format("{0} must be a table, written [[{0}]]", key.str()));
          } else {
            isRule ? readRule(*table) : readTable(*table);
          }
        }
      } else {
        fault(node, fmt::format("unknown key \"{}\"; known are [[rule]], [[table]], [disks]", key.str()));
      }
    }
    if (!faults_.empty()) {
      return Error{ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(faults_, "\n"))};
    }
    return Eligibility(std::move(rules_), std::move(tables_), disks_);
  }

 private:
  void fault(const toml::node& at, std::string_view what) {
    faults_.push_back(fmt::format("{}:{}: {}", path_, at.source().begin.line, what));
  }

  void allow(const toml::table& table, const std::set<std::string_view>& known) {
    for (const auto& [key, node] : table) {
      if (!known.contains(key.str())) {
        fault(node, fmt::format("unknown key \"{}\"; known are {}", key.str(), fmt::join(known, ", ")));
      }
    }
  }

  /** A key of that type; `fallback` where it is absent. One of another type is a fault. */
  template <typename T>
  T get(const toml::table& table, std::string_view key, T fallback, std::string_view what) {
    const toml::node* const node = table.get(key);
    if (node == nullptr) {
      return fallback;
    }
    const auto value = node->value<T>();
    if (!value) {
      fault(*node, fmt::format("{} must be {}", key, what));
    }
    return value.value_or(fallback);
  }
  std::string text(const toml::table& table, std::string_view key) {
    return get<std::string>(table, key, "", "text");
  }
  std::uint64_t bytes(const toml::table& table, std::string_view key) {
    const std::string written = text(table, key);
    const Result<std::uint64_t> size = parseByteSize(written.empty() ? "0" : written);
    if (!size) {
      fault(table, fmt::format("{}: {}", key, size.error().message));
    }
    return size ? *size : 0;
  }
  std::string place(const toml::table& table, std::string_view key, bool isNeeded) {
    const std::string written = text(table, key);
    if (written.empty() ? isNeeded : written.find(':') == std::string::npos) {
      fault(table, fmt::format("{} must name a directory as \"store:relative/directory\"", key));
    }
    return written;
  }

  void readRule(const toml::table& table) {
    allow(table, {"id", "order", "path", "table", "tag", "job_class", "action", "percentage", "comment"});
    EligibilityRule rule;
    rule.id = text(table, "id");
    if (rule.id.empty() || !ruleIds_.insert(rule.id).second) {
      fault(table, rule.id.empty() ? "a rule needs an id" : "the id \"" + rule.id + "\" is used twice");
    }
    rule.order = static_cast<int>(get<std::int64_t>(table, "order", 0, "a whole number"));
    rule.pathPrefix = place(table, "path", false);
    rule.table = text(table, "table");
    rule.tag = text(table, "tag");
    const std::string jobClass = text(table, "job_class");
    if (jobClass == "ml-training" || jobClass == "other") {
      rule.jobClass = jobClass == "other" ? JobClass::kOther : JobClass::kMlTraining;
    } else if (!jobClass.empty()) {
      fault(table, "job_class must be \"ml-training\" or \"other\"");
    }
    const std::string action = text(table, "action");
    if (action != "cache" && action != "bypass") {
      fault(table, "action must be \"cache\" or \"bypass\"");
    }
    rule.cache = action == "cache";
    rule.percentage = get<double>(table, "percentage", 100, "a number");
    if (!(rule.percentage >= 0 && rule.percentage <= 100)) {
      fault(table, "percentage must be a number from 0 to 100");
    }
    rules_.push_back(std::move(rule));
  }

  void readTable(const toml::table& table) {
    allow(table, {"name", "root", "onboarded", "stored", "demand"});
    TableInfo info;
    info.name = text(table, "name");
    if (info.name.empty() || !tableNames_.insert(info.name).second) {
      fault(table,
            info.name.empty() ? "a table needs a name" : "the name \"" + info.name + "\" is used twice");
    }
    info.root = place(table, "root", true);
    info.onboarded = get<bool>(table, "onboarded", true, "true or false");
    info.storedBytes = bytes(table, "stored");
    info.demandBytesPerSecond = static_cast<double>(bytes(table, "demand"));
    tables_.push_back(std::move(info));
  }

  void readDisks(const toml::table& table) {
    allow(table, {"size", "rate", "copies"});
    disks_.diskBytes = bytes(table, "size");
    disks_.diskBytesPerSecond = static_cast<double>(bytes(table, "rate"));
    disks_.copies = get<double>(table, "copies", 1, "a number");
    if (disks_.diskBytes == 0 || disks_.diskBytesPerSecond <= 0 || !(disks_.copies >= 1)) {
      fault(table, "[disks] needs size and rate above zero, and copies of at least 1");
    }
  }

  const std::string& path_;
  std::vector<EligibilityRule> rules_;
  std::vector<TableInfo> tables_;
  DiskFleet disks_;
  std::set<std::string> ruleIds_;
  std::set<std::string> tableNames_;
  std::vector<std::string> faults_;
};

}  // namespace

Result<Eligibility> readRuleFile(const std::string& path) {
  return RuleReader(path).read();
}

}  // namespace shift::client
