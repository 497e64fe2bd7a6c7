#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "common/Waiter.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;
using Parameters = std::vector<wire::NodeParameter>;
using Values = std::map<std::string, std::string>;

struct ParamOptions {
  std::vector<std::string> names;     // of get, reset
  std::vector<std::string> settings;  // "name=value", of set
  bool dryRun = false;
  bool all = false;
};

/** What nodes follow the GMS at, with room for a slow one. */
constexpr Duration kFollowed = std::chrono::seconds(3);

std::vector<Answer<Parameters>> parametersOf(Context& context, const std::vector<NodeTarget>& nodes) {
  return context.ask<Parameters>(nodes, [](node::AdminClient& admin) { return admin.parameters(); });
}

const wire::NodeParameter* find(const Answer<Parameters>& answer, const std::string& name) {
  if (!answer.result) {
    return nullptr;
  }
  const auto found = std::ranges::find(*answer.result, name, &wire::NodeParameter::name);
  return found == answer.result->end() ? nullptr : &*found;
}

/** Every name that some node knows, in the order in which they tell them. */
std::vector<std::string> namesIn(const std::vector<Answer<Parameters>>& answers) {
  std::vector<std::string> names;
  for (const auto& answer : answers) {
    for (const wire::NodeParameter& parameter : answer.result ? *answer.result : Parameters()) {
      if (std::ranges::find(names, parameter.name) == names.end()) {
        names.push_back(parameter.name);
      }
    }
  }
  return names;
}

void printParameters(const Context& context, const std::vector<Answer<Parameters>>& answers,
                     const std::vector<std::string>& names) {
  if (context.options().json) {
    json nodes = json::array();
    for (const auto& answer : answers) {
      json node = {{"id", answer.node.id}};
      if (!answer.result) {
        node["error"] = answer.result.error().message;
      }
      for (const std::string& name : names) {
        if (const wire::NodeParameter* const parameter = find(answer, name)) {
          node["parameters"][name] = {{"value", parameter->value},
                                      {"configured", parameter->configured},
                                      {"source", parameter->source}};
        }
      }
      nodes.push_back(node);
    }
    return context.printJson(json{{"nodes", nodes}});
  }
  std::vector<std::string> header = {"parameter"};
  for (const auto& answer : answers) {
    header.push_back(answer.node.id);
  }
  tools::Table table(header);
  for (const std::string& name : names) {
    std::vector<std::string> row = {name};
    for (const auto& answer : answers) {
      const wire::NodeParameter* const parameter = find(answer, name);
      row.push_back(parameter == nullptr ? "-"
                    : parameter->source == "config"
                        ? parameter->value
                        : fmt::format("{} ({})", parameter->value, parameter->source));
    }
    table.row(row);
  }
  context.print(table.str());
}

ExitCode get(Context& context, const ParamOptions& options) {
  const auto answers = parametersOf(context, context.nodes());
  const std::vector<std::string> known = namesIn(answers);
  for (const std::string& name : options.names) {
    if (!known.empty() && std::ranges::find(known, name) == known.end()) {
      throw Failure(kRefused,
                    fmt::format("there is no parameter \"{}\"; shiftctl params get lists them", name));
    }
  }
  printParameters(context, answers, options.names.empty() ? known : options.names);
  return codeOf(context, answers);
}

ExitCode diff(Context& context, const ParamOptions& /*options*/) {
  const auto answers = parametersOf(context, context.nodes());
  std::vector<std::string> names = namesIn(answers);
  std::erase_if(names, [&](const std::string& name) {
    std::set<std::string> values;
    for (const auto& answer : answers) {
      if (const wire::NodeParameter* const parameter = find(answer, name)) {
        values.insert(parameter->value);
        values.insert(parameter->configured);
      }
    }
    return values.size() <= 1;
  });
  if (names.empty() && !context.options().json) {
    context.print("Every node runs with what it was started with, and all with the same.");
  } else {
    printParameters(context, answers, names);
  }
  return codeOf(context, answers);
}

Values valuesIn(const std::vector<std::string>& settings) {
  Values values;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Failure(kRefused, fmt::format("\"{}\" is not NAME=VALUE", setting));
    }
    if (!values.emplace(setting.substr(0, equals), setting.substr(equals + 1)).second) {
      throw Failure(kRefused, fmt::format("{} is given twice", setting.substr(0, equals)));
    }
  }
  return values;
}

/** The scopes that a change in the GMS is written for: each chosen node, or all nodes, those to come too. */
std::vector<std::string> scopesOf(const Context& context, const std::vector<NodeTarget>& nodes) {
  if (context.options().nodes.empty()) {
    return {""};
  }
  std::vector<std::string> scopes;
  for (const NodeTarget& node : nodes) {
    scopes.push_back(node.id);
  }
  return scopes;
}

/** Nodes that were given by address are known to the GMS by their id. */
std::vector<NodeTarget> withIds(Context& context, std::vector<NodeTarget> nodes) {
  for (NodeTarget& node : nodes) {
    if (node.admin && node.id == toString(*node.admin)) {
      node.id = orFail(context.admin(node).status()).id;
    }
  }
  return nodes;
}

/** Until each node tells that the values came from the GMS, or is not expected to any more. */
std::vector<Answer<Parameters>> waitForGms(Context& context, const std::vector<NodeTarget>& nodes,
                                           const std::vector<Answer<Parameters>>& before,
                                           const Values& values) {
  const SystemWaiter waiter;
  const TimePoint deadline = context.clock().now() + kFollowed;
  while (true) {
    auto answers = parametersOf(context, nodes);
    bool isFollowed = true;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      for (const auto& [name, value] : values) {
        const wire::NodeParameter* const now = find(answers[i], name);
        const wire::NodeParameter* const then = find(before[i], name);
        isFollowed &=
            now == nullptr || now->source == "live" ||
            (now->source == "gms" && (then == nullptr || then->source != "gms" || then->value != now->value));
      }
    }
    if (isFollowed || context.clock().now() >= deadline) {
      return answers;
    }
    waiter.waitUntil(context.clock().now() + std::chrono::milliseconds(100));
  }
}

ExitCode set(Context& context, const ParamOptions& options) {
  const Values values = valuesIn(options.settings);
  std::vector<NodeTarget> nodes = context.nodes();
  const auto checked = context.ask<bool>(nodes, [&](node::AdminClient& admin) -> Result<bool> {
    const Status status = admin.checkParameters(values);
    return status ? Result<bool>(true) : Result<bool>(status.error());
  });
  for (const auto& answer : checked) {
    if (!answer.result && answer.result.error().code == ErrorCode::kInvalidArgument) {
      throw Failure(kRefused, fmt::format("nothing was changed; {}: {}", answer.node.id,
                                          answer.result.error().message));
    }
  }
  if (options.dryRun) {
    context.answer(nlohmann::json{{"valid", true}},
                   "All nodes that answer would take it. Nothing was changed.");
    return codeOf(context, checked);
  }
  if (!context.hasGms()) {
    const auto done = context.ask<bool>(nodes, [&](node::AdminClient& admin) -> Result<bool> {
      const Status status = admin.setParameters(values);
      return status ? Result<bool>(true) : Result<bool>(status.error());
    });
    std::vector<std::string> names;
    for (const auto& [name, value] : values) {
      names.push_back(name);
    }
    printParameters(context, parametersOf(context, nodes), names);
    return codeOf(context, done);
  }
  nodes = withIds(context, nodes);
  const auto before = parametersOf(context, nodes);
  for (const std::string& scope : scopesOf(context, nodes)) {
    for (const auto& [name, value] : values) {
      wire::Parameter parameter;
      parameter.__set_node(scope);
      parameter.__set_name(name);
      parameter.__set_value(value);
      orFail(context.gms().putParameter(parameter));
    }
  }
  const auto after = waitForGms(context, nodes, before, values);
  std::vector<std::string> names;
  for (const auto& [name, value] : values) {
    names.push_back(name);
    for (const auto& answer : after) {
      const wire::NodeParameter* const now = find(answer, name);
      if (now != nullptr && now->source == "live") {
        context.remark(
            fmt::format("{}: {} was set at the node itself, which goes before the GMS; shiftctl --node {} "
                        "params reset {} ends that",
                        answer.node.id, name, answer.node.id, name));
      }
    }
  }
  printParameters(context, after, names);
  return codeOf(context, after);
}

/** What the GMS holds within the scopes and was named; all that is a node's if nothing was named. */
std::vector<wire::Parameter> heldByGms(Context& context, const std::vector<NodeTarget>& nodes,
                                       const ParamOptions& options) {
  std::vector<wire::Parameter> held = orFail(context.gms().listParameters());
  const bool isEverywhere = context.options().nodes.empty();
  std::erase_if(held, [&](const wire::Parameter& parameter) {
    const bool isInScope =
        isEverywhere || std::ranges::find(nodes, parameter.node, &NodeTarget::id) != nodes.end();
    const bool isNamed = options.all
                             ? parameter.name.starts_with("policy.")
                             : std::ranges::find(options.names, parameter.name) != options.names.end();
    return !isInScope || !isNamed;
  });
  return held;
}

ExitCode reset(Context& context, const ParamOptions& options) {
  if (options.all == !options.names.empty()) {
    throw Failure(kRefused, "name what is to be reset, or say --all");
  }
  std::vector<NodeTarget> nodes = context.nodes();
  if (context.hasGms()) {
    nodes = withIds(context, nodes);
    for (const wire::Parameter& parameter : heldByGms(context, nodes, options)) {
      orFail(context.gms().deleteParameter(parameter.node, parameter.name));
    }
  }
  const auto answers = context.ask<bool>(nodes, [&](node::AdminClient& admin) -> Result<bool> {
    const auto known = admin.parameters();
    if (!known) {
      return known.error();
    }
    std::vector<std::string> live;
    for (const wire::NodeParameter& parameter : *known) {
      const bool isNamed =
          options.all || std::ranges::find(options.names, parameter.name) != options.names.end();
      if (isNamed && parameter.source == "live") {
        live.push_back(parameter.name);
      }
    }
    const Status done = live.empty() ? Status() : admin.resetParameters(live);
    return done ? Result<bool>(true) : Result<bool>(done.error());
  });
  context.answer(nlohmann::json::object(), "Reset: nodes go by their configuration again, within a second.");
  return codeOf(context, answers);
}

}  // namespace

void addParams(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("params", "What nodes decide by, changed while they run");
  command.footer(
      "With a GMS, what is set holds for all nodes (or for those that --node names), survives restarts of "
      "nodes and\n"
      "GMS, and is in the audit log. Without one it is set at the nodes themselves, and survives in their "
      "state_file.\n"
      "Values that came from there are marked (gms) or (live); all others are the nodes' own configuration.\n"
      "Examples:\n"
      "  shiftctl params get policy.name policy.write_limit\n"
      "  shiftctl params set policy.min_admit_threshold=1.5 --dry-run\n"
      "  shiftctl --node flash-03 params set policy.name=hybrid\n"
      "  shiftctl params diff\n"
      "  shiftctl params reset --all");
  const auto options = std::make_shared<ParamOptions>();
  const auto sub = [&](const char* name, const char* help,
                       std::function<ExitCode(Context&, const ParamOptions&)> run) {
    Arguments added = command.command(name, help);
    added.run(chosen, options, std::move(run));
    return added;
  };
  sub("get", "What is in force", get).option("names", options->names, "only these");
  sub("diff", "Only what differs between nodes, or from what they were started with", diff);
  Arguments setting = sub("set", "Change some", set);
  setting.option("settings", options->settings, "NAME=VALUE").required();
  setting.flag("--dry-run", options->dryRun, "only ask whether the nodes would take it");
  Arguments resetting = sub("reset", "Back to the nodes' configuration", reset);
  resetting.option("names", options->names, "these");
  resetting.flag("--all", options->all, "all of them");
}

}  // namespace shift::ctl
