#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "shift-node/AdminJson.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

constexpr const char* kArm = "policy.arm";
constexpr const char* kPolicy = "policy.name";

struct AbOptions {
  std::string policyA;
  std::string policyB;
  std::vector<std::string> nodesA;
  std::vector<std::string> nodesB;
  std::string keep;
};

std::vector<wire::Parameter> ownParameters(Context& context, const std::string& name) {
  std::vector<wire::Parameter> held = orFail(context.gms().listParameters());
  std::erase_if(held, [&](const wire::Parameter& parameter) {
    return parameter.node.empty() || parameter.name != name;
  });
  return held;
}

/** Which node goes into which arm: as given, and else every other one. */
std::map<std::string, std::string> armsOf(const std::vector<NodeTarget>& nodes, const AbOptions& options) {
  std::map<std::string, std::string> arms;
  const auto enlist = [&](const std::vector<std::string>& ids, const std::string& arm) {
    for (const std::string& id : ids) {
      if (std::ranges::find(nodes, id, &NodeTarget::id) == nodes.end()) {
        throw Failure(kRefused, fmt::format("there is no node \"{}\"; shiftctl nodes lists them", id));
      }
      if (!arms.emplace(id, arm).second) {
        throw Failure(kRefused, fmt::format("node \"{}\" is in both arms", id));
      }
    }
  };
  enlist(options.nodesA, "a");
  enlist(options.nodesB, "b");
  if (arms.empty()) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      arms.emplace(nodes[i].id, i % 2 == 0 ? "a" : "b");
    }
  }
  for (const char* arm : {"a", "b"}) {
    if (std::ranges::none_of(arms, [&](const auto& entry) { return entry.second == arm; })) {
      throw Failure(kRefused,
                    fmt::format("arm {} has no node; a comparison needs at least one in each", arm));
    }
  }
  return arms;
}

void put(Context& context, const std::string& node, const char* name, const std::string& value) {
  wire::Parameter parameter;
  parameter.__set_node(node);
  parameter.__set_name(name);
  parameter.__set_value(value);
  orFail(context.gms().putParameter(parameter));
}

ExitCode start(Context& context, const AbOptions& options) {
  if (!ownParameters(context, kArm).empty()) {
    throw Failure(kFailed, "a comparison is under way; shiftctl ab stop ends it");
  }
  const std::vector<NodeTarget> nodes = context.nodes();
  const std::map<std::string, std::string> arms = armsOf(nodes, options);
  const auto policyOf = [&](const std::string& arm) {
    return arm == "a" ? options.policyA : options.policyB;
  };
  for (const NodeTarget& node : nodes) {
    if (const auto arm = arms.find(node.id); arm != arms.end()) {
      const Status valid =
          context.admin(node).checkParameters({{kPolicy, policyOf(arm->second)}, {kArm, arm->second}});
      if (!valid) {
        throw Failure(valid.error().code == ErrorCode::kInvalidArgument ? kRefused : kFailed,
                      fmt::format("nothing was changed; {}: {}", node.id, valid.error().message));
      }
    }
  }
  json out = json::object();
  std::string text;
  for (const auto& [id, arm] : arms) {
    put(context, id, kPolicy, policyOf(arm));
    put(context, id, kArm, arm);
    out[arm].push_back(id);
    text += fmt::format("  {}  arm {}: {}\n", id, arm, policyOf(arm));
  }
  context.answer(json{{"arms", out}},
                 text + "Begun. shiftctl ab status compares; caches need some time before that means much.");
  return kDone;
}

ExitCode status(Context& context, const AbOptions& /*options*/) {
  const auto answers =
      context.askAll<wire::NodeStatus>([](node::AdminClient& admin) { return admin.status(); });
  std::vector<wire::NodeStatus> statuses;
  for (const auto& answer : answers) {
    if (answer.result) {
      statuses.push_back(*answer.result);
    }
  }
  const std::map<std::string, node::ArmSum> arms = node::armsOf(statuses);
  const ExitCode code = codeOf(context, answers);
  if (arms.empty() && code == kDone && ownParameters(context, kArm).empty()) {
    throw Failure(kFailed, "no comparison is under way; shiftctl ab start begins one");
  }
  if (context.options().json) {
    context.printJson(json{{"arms", node::toJson(arms)}});
    return code;
  }
  // By traffic, since the arms are not asked for the same: shares, and flash writes for each byte asked for.
  tools::Table table(
      {"arm", "policy", "nodes", "for", "asked for", "absorbed", "hits", "refused", "flash written"});
  for (const auto& [name, arm] : arms) {
    const wire::Activity& activity = arm.activity;
    const auto requests = static_cast<double>(activity.requests);
    const auto asked = static_cast<double>(activity.requestedBytes);
    table.row({name + (arm.isSinceRestart ? " (since a restart)" : ""), arm.policy,
               std::to_string(arm.nodes.size()), span(activity.seconds), rate(asked, activity.seconds),
               percent(static_cast<double>(node::absorbed(activity)), asked),
               percent(static_cast<double>(activity.hits), requests),
               percent(static_cast<double>(activity.refusals), requests),
               percent(static_cast<double>(node::written(activity)), asked)});
  }
  context.print(table.str() +
                "  absorbed and flash written are shares of the bytes that each arm was asked for\n");
  return code;
}

ExitCode stop(Context& context, const AbOptions& options) {
  const std::vector<wire::Parameter> enlisted = ownParameters(context, kArm);
  if (enlisted.empty()) {
    throw Failure(kFailed, "no comparison is under way");
  }
  const std::vector<wire::Parameter> policies = ownParameters(context, kPolicy);
  std::string kept;
  for (const wire::Parameter& arm : enlisted) {
    const auto policy = std::ranges::find(policies, arm.node, &wire::Parameter::node);
    if (arm.value == options.keep && policy != policies.end()) {
      kept = policy->value;
    }
    orFail(context.gms().deleteParameter(arm.node, kArm));
    if (policy != policies.end()) {
      orFail(context.gms().deleteParameter(arm.node, kPolicy));
    }
  }
  if (!kept.empty()) {
    put(context, "", kPolicy, kept);
  }
  context.answer(json{{"kept", kept.empty() ? json(nullptr) : json(kept)}},
                 kept.empty() ? "Ended; the nodes decide as they did before."
                              : fmt::format("Ended; all nodes decide by {} now.", kept));
  return kDone;
}

}  // namespace

void addAb(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("ab", "Compare two policies on disjoint nodes");
  command.footer(
      "Each node owns its own share of all blocks, so both arms see the same kind of traffic.\n"
      "Examples:\n"
      "  shiftctl ab start --a hybrid --b planned\n"
      "  shiftctl ab status\n"
      "  shiftctl ab stop --keep b");
  const auto options = std::make_shared<AbOptions>();
  const auto sub = [&](const char* name, const char* help,
                       std::function<ExitCode(Context&, const AbOptions&)> run) {
    Arguments added = command.command(name, help);
    added.run(chosen, options, std::move(run));
    return added;
  };
  Arguments starting = sub("start", "Begin a comparison", start);
  starting.option("--a", options->policyA, "policy of arm a").required();
  starting.option("--b", options->policyB, "policy of arm b").required();
  starting.option("--a-nodes", options->nodesA, "ids (default: every other node)").commaSeparated();
  starting.option("--b-nodes", options->nodesB, "ids (default: the others)").commaSeparated();
  sub("status", "Results so far, by traffic", status);
  sub("stop", "End it", stop)
      .option("--keep", options->keep, "arm whose policy all nodes get")
      .oneOf({"a", "b"});
}

}  // namespace shift::ctl
