#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/ByteSize.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

/** Seconds that the flash lasts at the last hour's rate; nothing if it is not rated or not written. */
std::optional<double> lifeLeft(const wire::NodeStatus& status) {
  const double perSecond = status.lastHour.seconds > 0
                               ? static_cast<double>(written(status.lastHour)) / status.lastHour.seconds
                               : 0;
  if (status.flashEndurance == 0 || perSecond <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(std::max<std::int64_t>(0, status.flashEndurance - status.flashWrittenBytes)) /
         perSecond;
}

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
  const wire::NodeStatus& status = *answer.result;
  json out = {{"id", status.id},
              {"address", status.address},
              {"store", status.store},
              {"engine", status.engine},
              {"policy", status.policy},
              {"capacity_bytes", status.capacityBytes},
              {"used_bytes", status.usedBytes},
              {"segments", status.segments},
              {"last_minute", toJson(status.lastMinute)},
              {"last_hour", toJson(status.lastHour)},
              {"since_start", toJson(status.sinceStart)},
              {"write_limit_bytes_per_second", status.writeLimit},
              {"flash_written_bytes", status.flashWrittenBytes},
              {"flash_endurance_bytes", status.flashEndurance},
              {"devices", status.devices},
              {"devices_in_use", status.devicesInUse},
              {"follows_gms", status.followsGms},
              {"gms_answers", status.gmsAnswers}};
  if (status.__isset.admitThreshold) {
    out["admit_threshold"] = status.admitThreshold;
  }
  if (status.__isset.horizonSeconds) {
    out["horizon_seconds"] = status.horizonSeconds;
  }
  if (const auto left = lifeLeft(status)) {
    out["flash_life_left_seconds"] = *left;
  }
  if (status.__isset.arm) {
    out["arm"] = status.arm.name;
  }
  if (status.__isset.trace) {
    out["trace"] = status.trace;
  }
  return out;
}

struct Sums {
  wire::Activity minute;
  wire::Activity hour;
  std::int64_t writeLimit = 0;  // 0: some node has none
  std::size_t answering = 0;
};

Sums sumsOf(const std::vector<Answer<wire::NodeStatus>>& answers) {
  Sums sums;
  bool allLimited = true;
  for (const Answer<wire::NodeStatus>& answer : answers) {
    if (answer.result) {
      add(sums.minute, answer.result->lastMinute);
      add(sums.hour, answer.result->lastHour);
      sums.writeLimit += answer.result->writeLimit;
      allLimited &= answer.result->writeLimit > 0;
      ++sums.answering;
    }
  }
  sums.writeLimit = allLimited ? sums.writeLimit : 0;
  return sums;
}

std::string absorbedIn(const wire::Activity& activity) {
  return fmt::format(
      "{} ({} of {})", rate(static_cast<double>(absorbed(activity)), activity.seconds),
      percent(static_cast<double>(absorbed(activity)), static_cast<double>(activity.requestedBytes)),
      rate(static_cast<double>(activity.requestedBytes), activity.seconds));
}

std::string glance(const Context& context, const std::vector<Answer<wire::NodeStatus>>& answers,
                   const std::string& gms) {
  const Sums sums = sumsOf(answers);
  const bool isWhole = sums.answering == answers.size();
  const double looked =
      static_cast<double>(sums.hour.dramHits + sums.hour.flashHits + sums.hour.segmentMisses);
  std::string text;
  text += colored(context.usesColor(), isWhole ? Color::kGood : Color::kBad,
                  fmt::format("{} of {} nodes answer", sums.answering, answers.size())) +
          "; " + gms + "\n";
  text += fmt::format("absorbed IO   now {}, last hour {} asked for\n", absorbedIn(sums.minute),
                      absorbedIn(sums.hour));
  text += fmt::format("hit share     memory {}, flash {}, missed {} (segments, last hour)\n",
                      percent(static_cast<double>(sums.hour.dramHits), looked),
                      percent(static_cast<double>(sums.hour.flashHits), looked),
                      percent(static_cast<double>(sums.hour.segmentMisses), looked));
  text +=
      fmt::format("flash writes  now {}, last hour {}, limit {}\n",
                  rate(static_cast<double>(written(sums.minute)), sums.minute.seconds),
                  rate(static_cast<double>(written(sums.hour)), sums.hour.seconds),
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
    const std::optional<double> left = lifeLeft(status);
    table.row(
        {status.id, status.policy,
         rate(static_cast<double>(absorbed(status.lastMinute)), status.lastMinute.seconds),
         rate(static_cast<double>(absorbed(status.lastHour)), status.lastHour.seconds),
         percent(static_cast<double>(status.lastHour.hits), static_cast<double>(status.lastHour.requests)),
         rate(static_cast<double>(written(status.lastMinute)), status.lastMinute.seconds),
         status.writeLimit > 0 ? rate(static_cast<double>(status.writeLimit), 1) : "none", threshold(status),
         fmt::format("{} of {}", formatByteSize(static_cast<double>(status.usedBytes)),
                     formatByteSize(static_cast<double>(status.capacityBytes))),
         left ? span(*left) : "-", remarks});
  }
  return table.str();
}

ExitCode run(Context& context) {
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
    const Sums sums = sumsOf(answers);
    context.printJson(json{{"nodes", nodes},
                           {"nodes_answering", sums.answering},
                           {"last_minute", toJson(sums.minute)},
                           {"last_hour", toJson(sums.hour)},
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
  command.run(chosen, run);
}

}  // namespace shift::ctl
