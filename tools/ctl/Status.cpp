#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/ByteSize.h"
#include "shift-node/AdminJson.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

std::string threshold(const wire::NodeStatus& status) {
  if (status.policy == "admit-all") {
    return "-";
  }
  if (status.policy == "planned") {
    return status.__isset.horizonSeconds ? "horizon " + span(status.horizonSeconds) : "no horizon";
  }
  return status.__isset.admitThreshold ? fmt::format("{:.2f}", status.admitThreshold) : "-";
}

json nodeJson(const Answer<wire::NodeStatus>& answer) {
  if (!answer.result) {
    return {{"id", answer.node.id}, {"error", answer.result.error().message}};
  }
  return node::toJson(*answer.result);
}

/** Those that answered. */
std::vector<wire::NodeStatus> statusesIn(const std::vector<Answer<wire::NodeStatus>>& answers) {
  std::vector<wire::NodeStatus> statuses;
  for (const Answer<wire::NodeStatus>& answer : answers) {
    if (answer.result) {
      statuses.push_back(*answer.result);
    }
  }
  return statuses;
}

std::string absorbedIn(const wire::Activity& activity) {
  return fmt::format(
      "{} ({} of {})", rate(static_cast<double>(node::absorbed(activity)), activity.seconds),
      percent(static_cast<double>(node::absorbed(activity)), static_cast<double>(activity.requestedBytes)),
      rate(static_cast<double>(activity.requestedBytes), activity.seconds));
}

std::string glance(const Context& context, const std::vector<Answer<wire::NodeStatus>>& answers,
                   const std::string& gms) {
  const std::vector<wire::NodeStatus> statuses = statusesIn(answers);
  const node::TierSum sums = node::sumOf(statuses);
  const bool isWhole = statuses.size() == answers.size();
  const double looked =
      static_cast<double>(sums.hour.dramHits + sums.hour.flashHits + sums.hour.segmentMisses);
  std::string text;
  text += colored(context.usesColor(), isWhole ? Color::kGood : Color::kBad,
                  fmt::format("{} of {} nodes answer", statuses.size(), answers.size())) +
          "; " + gms + "\n";
  text += fmt::format("absorbed IO   now {}, last hour {} asked for\n", absorbedIn(sums.minute),
                      absorbedIn(sums.hour));
  text += fmt::format("hit share     memory {}, flash {}, missed {} (segments, last hour)\n",
                      percent(static_cast<double>(sums.hour.dramHits), looked),
                      percent(static_cast<double>(sums.hour.flashHits), looked),
                      percent(static_cast<double>(sums.hour.segmentMisses), looked));
  text +=
      fmt::format("flash writes  now {}, last hour {}, limit {}\n",
                  rate(static_cast<double>(node::written(sums.minute)), sums.minute.seconds),
                  rate(static_cast<double>(node::written(sums.hour)), sums.hour.seconds),
                  sums.writeLimit > 0 ? rate(static_cast<double>(sums.writeLimit), 1) : std::string("none"));
  return text;
}

std::string perNode(const std::vector<Answer<wire::NodeStatus>>& answers) {
  tools::Table table({"node", "policy", "absorbed now", "last hour", "hits", "written", "limit", "threshold",
                      "cache", "flash life left", "remarks"});
  for (const Answer<wire::NodeStatus>& answer : answers) {
    if (!answer.result) {
      table.row({answer.node.id, "-", "-", "-", "-", "-", "-", "-", "-", "-", "does not answer"});
      continue;
    }
    const wire::NodeStatus& status = *answer.result;
    std::string remarks;
    const auto remark = [&](bool isSo, const std::string& words) {
      remarks += isSo ? (remarks.empty() ? "" : ", ") + words : "";
    };
    remark(status.devicesInUse < status.devices,
           fmt::format("{} of {} devices out of use", status.devices - status.devicesInUse, status.devices));
    remark(status.followsGms && !status.gmsAnswers, "GMS does not answer it");
    remark(status.__isset.arm, "arm " + status.arm.name);
    remark(status.__isset.trace, "records requests");
    remark(!answer.node.state.empty() && answer.node.state != "active", answer.node.state);
    const std::optional<double> left = node::lifeLeft(status);
    table.row(
        {status.id, status.policy,
         rate(static_cast<double>(node::absorbed(status.lastMinute)), status.lastMinute.seconds),
         rate(static_cast<double>(node::absorbed(status.lastHour)), status.lastHour.seconds),
         percent(static_cast<double>(status.lastHour.hits), static_cast<double>(status.lastHour.requests)),
         rate(static_cast<double>(node::written(status.lastMinute)), status.lastMinute.seconds),
         status.writeLimit > 0 ? rate(static_cast<double>(status.writeLimit), 1) : "none", threshold(status),
         fmt::format("{} of {}", formatByteSize(static_cast<double>(status.usedBytes)),
                     formatByteSize(static_cast<double>(status.capacityBytes))),
         left ? span(*left) : "-", remarks});
  }
  return table.str();
}

ExitCode runStatus(Context& context) {
  const auto answers =
      context.askAll<wire::NodeStatus>([](node::AdminClient& admin) { return admin.status(); });
  std::string gms = "no GMS was given";
  bool gmsAnswers = true;
  if (context.hasGms()) {
    const auto members = context.gms().listMembers();
    gmsAnswers = members.ok();
    gms = gmsAnswers ? "the GMS at " + context.options().gms + " answers" : members.error().message;
  }
  if (context.options().json) {
    json nodes = json::array();
    for (const auto& answer : answers) {
      nodes.push_back(nodeJson(answer));
    }
    const std::vector<wire::NodeStatus> statuses = statusesIn(answers);
    const node::TierSum sums = node::sumOf(statuses);
    context.printJson(json{{"nodes", nodes},
                           {"nodes_answering", statuses.size()},
                           {"last_minute", node::toJson(sums.minute)},
                           {"last_hour", node::toJson(sums.hour)},
                           {"gms_answers", context.hasGms() ? json(gmsAnswers) : json(nullptr)}});
  } else {
    context.print(glance(context, answers, gms) + "\n" + perNode(answers));
  }
  const ExitCode code = codeOf(context, answers);
  return code == kDone && !gmsAnswers ? kPartly : code;
}

}  // namespace

void addStatus(Arguments& app, Chosen& chosen) {
  Arguments command = app.command(
      "status", "The tier at a glance: absorbed IO, hits, flash writes against their limit, each node");
  command.footer(
      "Examples:\n  shiftctl --gms 10.0.0.1:7500 status\n  shiftctl --ring ring.toml status --json");
  command.run(chosen, runStatus);
}

}  // namespace shift::ctl
