#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "common/ByteSize.h"
#include "tools/ctl/Commands.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

constexpr std::uint32_t kTracePiece = 1 << 20;

struct TraceOptions {
  std::string limit = "256MiB";
  std::string directory;
};

json toJson(const wire::TraceInfo& info) {
  return {
      {"file", info.file}, {"requests", info.requests}, {"bytes", info.bytes}, {"left_out", info.leftOut}};
}

ExitCode record(Context& context, const TraceOptions& options) {
  const std::uint64_t limit = orFail(parseByteSize(options.limit));
  const auto answers =
      context.askAll<wire::TraceInfo>([&](node::AdminClient& admin) { return admin.startTrace(limit); });
  json nodes = json::array();
  for (const auto& answer : answers) {
    if (answer.result) {
      nodes.push_back({{"id", answer.node.id}, {"file", answer.result->file}});
      if (!context.options().json) {
        context.print(
            fmt::format("{} records into {}, up to {}", answer.node.id, answer.result->file, options.limit));
      }
    }
  }
  if (context.options().json) {
    context.printJson(json{{"nodes", nodes}});
  }
  return codeOf(context, answers);
}

/** Copies the recording that a node has just stopped; returns the file it is in now. */
std::string fetch(node::AdminClient& admin, const std::string& directory, const std::string& original) {
  const std::string path =
      (std::filesystem::path(directory) / std::filesystem::path(original).filename()).string();
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  for (std::uint64_t offset = 0;;) {
    const std::string piece = orFail(admin.readTrace(offset, kTracePiece));
    if (piece.empty()) {
      break;
    }
    out << piece;
    offset += piece.size();
  }
  out.close();
  if (!out) {
    throw Failure(kFailed, "cannot write " + path);
  }
  return path;
}

ExitCode stopTrace(Context& context, const TraceOptions& options) {
  if (!options.directory.empty() && !std::filesystem::is_directory(options.directory)) {
    throw Failure(kRefused, "--output: " + options.directory + " is not a directory");
  }
  const auto answers =
      context.askAll<wire::TraceInfo>([](node::AdminClient& admin) { return admin.stopTrace(); });
  json nodes = json::array();
  tools::Table table({"node", "requests", "size", "left out", "file"});
  for (const auto& answer : answers) {
    if (!answer.result) {
      continue;
    }
    wire::TraceInfo info = *answer.result;
    if (!options.directory.empty()) {
      node::AdminClient admin = context.admin(answer.node);
      info.file = fetch(admin, options.directory, info.file);
    }
    json row = toJson(info);
    row["id"] = answer.node.id;
    nodes.push_back(row);
    table.row({answer.node.id, std::to_string(info.requests), formatByteSize(static_cast<double>(info.bytes)),
               std::to_string(info.leftOut), info.file});
  }
  if (context.options().json) {
    context.printJson(json{{"nodes", nodes}});
  } else if (!nodes.empty()) {
    context.print(table.str() + "  shift-sim replay FILE tells what other policies would have done\n");
  }
  return codeOf(context, answers);
}

}  // namespace

void addTrace(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("trace", "Record the requests that nodes get, for shift-sim replay");
  command.footer(
      "A node needs a trace.directory in its configuration. A request takes some twelve bytes.\n"
      "Examples:\n"
      "  shiftctl --node flash-03 trace record --limit 1GiB\n"
      "  shiftctl --node flash-03 trace stop --output .");
  const auto options = std::make_shared<TraceOptions>();
  Arguments recording = command.command("record", "Begin");
  recording.option("--limit", options->limit, "bytes; what comes after is counted and left out")
      .withDefault();
  recording.run(chosen, options, record);
  Arguments stopping = command.command("stop", "End");
  stopping.option("-o,--output", options->directory, "directory to copy the recordings into");
  stopping.run(chosen, options, stopTrace);
}

}  // namespace shift::ctl
