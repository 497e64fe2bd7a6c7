#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

ExitCode runNodes(Context& context) {
  const auto answers =
      context.askAll<wire::NodeStatus>([](node::AdminClient& admin) { return admin.status(); });
  json rows = json::array();
  tools::Table table(
      {"node", "state", "weight", "reads", "admin", "answers", "store", "engine", "policy", "up"});
  for (const auto& answer : answers) {
    const NodeTarget& node = answer.node;
    const std::string admin = node.admin ? toString(*node.admin) : "-";
    const bool isUp = answer.result.ok();
    json row = {{"id", isUp ? answer.result->id : node.id},
                {"state", node.state},
                {"weight", node.weight},
                {"address", isUp ? answer.result->address : node.address},
                {"admin_address", admin},
                {"answers", isUp}};
    if (isUp) {
      row["store"] = answer.result->store;
      row["engine"] = answer.result->engine;
      row["policy"] = answer.result->policy;
      row["up_seconds"] = answer.result->sinceStart.seconds;
    }
    rows.push_back(row);
    table.row({row["id"], node.state.empty() ? "-" : node.state, fmt::format("{:g}", node.weight),
               row["address"], admin, isUp ? "yes" : "no", isUp ? answer.result->store : "-",
               isUp ? answer.result->engine : "-", isUp ? answer.result->policy : "-",
               isUp ? span(answer.result->sinceStart.seconds) : "-"});
  }
  context.answer(json{{"nodes", rows}}, table.str());
  return codeOf(context, answers);
}

}  // namespace

void addNodes(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("nodes", "The nodes: where they are and whether they answer");
  command.footer("Example:\n  shiftctl --gms 10.0.0.1:7500 nodes");
  command.run(chosen, runNodes);
}

}  // namespace shift::ctl
