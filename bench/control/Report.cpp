#include "bench/control/Report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace shift::bench {

bool report(const std::vector<Row>& rows, bool json) {
  bool all = true;
  if (!json) {
    fmt::print("{:<38} {:>12} {:<10} {:<24} {:>12} {:>8} {:>6} {}\n", "name", "value", "unit", "against",
               "peer", "ratio", "goal", "holds");
  }
  for (const Row& row : rows) {
    const double ratio = row.peerValue > 0 ? row.value / row.peerValue : 0;
    const bool holds = !row.goal.has_value() || ratio <= *row.goal;
    all = all && holds;
    if (json) {
      nlohmann::ordered_json line;
      line["name"] = row.name;
      line["value"] = row.value;
      line["unit"] = row.unit;
      line["against"] = row.against;
      line["peer_value"] = row.peerValue;
      line["ratio"] = ratio;
      line["goal"] = row.goal.has_value() ? nlohmann::ordered_json(*row.goal) : nlohmann::ordered_json();
      line["holds"] = row.goal.has_value() ? nlohmann::ordered_json(holds) : nlohmann::ordered_json();
      fmt::print("{}\n", line.dump());
    } else {
      fmt::print("{:<38} {:>12.1f} {:<10} {:<24} {:>12.1f} {:>8.2f} {:>6} {}\n", row.name, row.value,
                 row.unit, row.against, row.peerValue, ratio,
                 row.goal.has_value() ? fmt::format("{:g}", *row.goal) : "",
                 row.goal.has_value() ? (holds ? "yes" : "NO") : "");
    }
  }
  return all;
}

}  // namespace shift::bench
