#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/ByteSize.h"
#include "tools/ctl/Commands.h"
#include "tools/text/ProgressLine.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;
using Counters = std::vector<wire::NodeCounter>;

ExitCode stats(Context& context) {
  const auto answers = context.askAll<Counters>([](node::AdminClient& admin) { return admin.counters(); });
  std::vector<std::string> names;
  std::vector<std::string> header = {"counter"};
  json nodes = json::array();
  for (const auto& answer : answers) {
    header.push_back(answer.node.id);
    json node = {{"id", answer.node.id}};
    for (const wire::NodeCounter& counter : answer.result ? *answer.result : Counters()) {
      node["counters"][counter.name] = counter.value;
      if (std::ranges::find(names, counter.name) == names.end()) {
        names.push_back(counter.name);
      }
    }
    nodes.push_back(node);
  }
  if (context.options().json) {
    context.printJson(json{{"nodes", nodes}});
    return codeOf(context, answers);
  }
  tools::Table table(header);
  for (const std::string& name : names) {
    std::vector<std::string> row = {name};
    for (const json& node : nodes) {
      const bool isKnown = node.contains("counters") && node["counters"].contains(name);
      row.push_back(isKnown ? std::to_string(node["counters"][name].get<std::int64_t>()) : "-");
    }
    table.row(row);
  }
  context.print(table.str());
  return codeOf(context, answers);
}

ExitCode flush(Context& context) {
  const auto answers = context.askAll<bool>([](node::AdminClient& admin) -> Result<bool> {
    const Status done = admin.flushCache();
    return done ? Result<bool>(true) : Result<bool>(done.error());
  });
  json nodes = json::array();
  for (const auto& answer : answers) {
    nodes.push_back({{"id", answer.node.id}, {"durable", answer.result.ok()}});
  }
  if (context.options().json) {
    context.printJson(json{{"nodes", nodes}});
  } else {
    context.print(
        fmt::format("{} of {} nodes made durable what they have cached.",
                    std::ranges::count_if(answers, [](const auto& answer) { return answer.result.ok(); }),
                    answers.size()));
  }
  return codeOf(context, answers);
}

/** All of one node's flash, step by step. */
Result<wire::Verification> verifyNode(node::AdminClient& admin, const std::string& id, bool isQuiet) {
  const Result<wire::NodeStatus> status = admin.status();
  if (!status) {
    return status.error();
  }
  tools::ProgressLine progress(isQuiet ? tools::ProgressLine::Elsewhere::kSilent
                                       : tools::ProgressLine::Elsewhere::kTenths);
  wire::Verification total;
  std::string cursor;
  do {
    const Result<wire::Verification> step = admin.verifyCache(cursor);
    if (!step) {
      return step.error();
    }
    total.segments += step->segments;
    total.bytes += step->bytes;
    total.failures += step->failures;
    cursor = step->cursor;
    const double whole = std::max(1.0, static_cast<double>(status->segments));
    progress.show(std::min(1.0, static_cast<double>(total.segments + total.failures) / whole),
                  fmt::format("{}: {}", id, formatByteSize(static_cast<double>(total.bytes))));
  } while (!cursor.empty());
  return total;
}

ExitCode verify(Context& context) {
  std::vector<Answer<wire::Verification>> answers;
  for (const NodeTarget& node : context.nodes()) {
    if (!node.admin) {
      answers.push_back({node, Error{ErrorCode::kUnavailable, "nobody said where its admin service is"}});
      continue;
    }
    node::AdminClient admin = context.admin(node);
    answers.push_back({node, verifyNode(admin, node.id, context.options().json)});
  }
  json nodes = json::array();
  std::int64_t failures = 0;
  tools::Table table({"node", "segments", "bytes", "failures"});
  for (const auto& answer : answers) {
    if (answer.result) {
      const wire::Verification& found = *answer.result;
      failures += found.failures;
      nodes.push_back({{"id", answer.node.id},
                       {"segments", found.segments},
                       {"bytes", found.bytes},
                       {"failures", found.failures}});
      table.row({answer.node.id, std::to_string(found.segments),
                 formatByteSize(static_cast<double>(found.bytes)), std::to_string(found.failures)});
    }
  }
  if (context.options().json) {
    context.printJson(json{{"nodes", nodes}});
  } else if (!nodes.empty()) {
    context.print(table.str() + (failures > 0 ? "  what failed its checksum has been dropped\n" : ""));
  }
  const ExitCode code = codeOf(context, answers);
  return code == kDone && failures > 0 ? kFailed : code;
}

}  // namespace

void addCache(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("cache", "What nodes hold: counters, durability, integrity");
  command.footer(
      "verify ends with 1 if a segment failed its checksum.\n"
      "Examples:\n"
      "  shiftctl cache stats --json\n"
      "  shiftctl --node flash-03 cache verify");
  command.command("stats", "Every counter of every node").run(chosen, stats);
  command.command("flush", "Make durable what is cached, as a clean stop does").run(chosen, flush);
  command.command("verify", "Read all that is on flash and check it").run(chosen, verify);
}

}  // namespace shift::ctl
