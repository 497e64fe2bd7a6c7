#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/ByteSize.h"
#include "tools/ctl/Commands.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

struct EvictOptions {
  std::string path;
  bool all = false;
  bool yes = false;
};

ExitCode runEvict(Context& context, const EvictOptions& options) {
  if (options.all == !options.path.empty()) {
    throw Failure(kRefused, "name a file, a directory or a bucket, or say --all");
  }
  // A bucket is "store:directory"; nodes know their store.
  const std::size_t colon = options.path.find(':');
  const std::string path = colon == std::string::npos ? options.path : options.path.substr(colon + 1);
  if (!options.all && path.empty()) {
    throw Failure(kRefused, "that is the whole store: say --all");
  }
  const std::vector<NodeTarget> nodes = context.nodes();
  if (options.all && !options.yes &&
      !context.confirm(fmt::format("Drop everything that {} node(s) have cached?", nodes.size()), "--yes")) {
    return kDone;
  }
  const auto answers =
      context.ask<wire::Eviction>(nodes, [&](node::AdminClient& admin) { return admin.evict(path); });
  json rows = json::array();
  tools::Table table({"node", "segments dropped", "bytes"});
  for (const auto& answer : answers) {
    if (answer.result) {
      rows.push_back(
          {{"id", answer.node.id}, {"segments", answer.result->segments}, {"bytes", answer.result->bytes}});
      table.row({answer.node.id, std::to_string(answer.result->segments),
                 formatByteSize(static_cast<double>(answer.result->bytes))});
    }
  }
  if (context.options().json) {
    context.printJson(json{{"nodes", rows}});
  } else if (!rows.empty()) {
    context.print(table.str());
  }
  return codeOf(context, answers);
}

}  // namespace

void addEvict(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("evict", "Forget what is cached of a file, a directory or everything");
  const auto options = std::make_shared<EvictOptions>();
  command.option("path", options->path,
                 "file or directory below the store's root, or a bucket (store:directory)");
  command.flag("--all", options->all, "everything");
  command.flag("--yes", options->yes, "do not ask");
  command.footer(
      "Examples:\n  shiftctl evict clicks/ds=2026-11-01\n  shiftctl --node flash-03 evict --all --yes");
  command.run(chosen, options, runEvict);
}

}  // namespace shift::ctl
