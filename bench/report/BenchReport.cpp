#include "bench/report/BenchReport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace shift::bench {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    result += c;
  }
  return result + "\"";
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "null";
}

std::string textOf(const Goal& goal) {
  return fmt::format("{} {:g}", goal.kind == Goal::Kind::kAtLeast ? ">=" : "<=", goal.limit);
}

bool holds(const BenchRow& row) {
  return row.goal->holdsFor(row.ratio.value_or(row.value));
}

std::string tableLine(const BenchRow& row) {
  const std::string peer = row.peerValue ? fmt::format("{:.4g} {}", *row.peerValue, row.against) : "";
  const std::string ratio = row.ratio ? fmt::format("{:.3f}", *row.ratio) : "";
  const std::string goal = row.goal ? textOf(*row.goal) : "";
  const std::string verdict = row.goal ? (holds(row) ? "holds" : "DOES NOT HOLD") : "";
  return fmt::format("{:<44} {:>10.4g} {:<14} {:<32} {:>7} {:>9} {}\n", row.name, row.value, row.unit, peer,
                     ratio, goal, verdict);
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

BenchReport::BenchReport(int& argc, char** argv) {
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) {
      isJson_ = true;
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  argv[argc] = nullptr;
}

void BenchReport::compare(std::string_view name, std::string_view unit, const std::vector<double>& ours,
                          std::string_view against, const std::vector<double>& theirs,
                          std::optional<Goal> goal) {
  BenchRow row;
  row.name = name;
  row.unit = unit;
  row.value = median(ours);
  row.against = against;
  row.peerValue = median(theirs);
  row.ratio = *row.peerValue != 0 ? row.value / *row.peerValue : 0;
  row.goal = goal;
  add(std::move(row));
}

void BenchReport::measure(std::string_view name, std::string_view unit, const std::vector<double>& values,
                          std::optional<Goal> goal) {
  BenchRow row;
  row.name = name;
  row.unit = unit;
  row.value = median(values);
  row.goal = goal;
  add(std::move(row));
}

void BenchReport::add(BenchRow row) {
  if (rows_.empty() && !isJson_) {
    std::fputs(fmt::format("{:<44} {:>10} {:<14} {:<32} {:>7} {:>9}\n", "what", "value", "unit", "against",
                           "ratio", "goal")
                   .c_str(),
               stdout);
  }
  std::fputs((isJson_ ? toJson(row) + "\n" : tableLine(row)).c_str(), stdout);
  std::fflush(stdout);
  rows_.push_back(std::move(row));
}

std::string toJson(const BenchRow& row) {
  return fmt::format(
      R"({{"name":{},"value":{},"unit":{},"against":{},"peer_value":{},"ratio":{},"goal":{},"holds":{}}})",
      quoted(row.name), number(row.value), quoted(row.unit),
      row.against.empty() ? "null" : quoted(row.against), number(row.peerValue), number(row.ratio),
      row.goal ? quoted(textOf(*row.goal)) : "null", row.goal ? (holds(row) ? "true" : "false") : "null");
}

}  // namespace shift::bench
