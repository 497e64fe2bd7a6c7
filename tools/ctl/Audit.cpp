#include <fmt/chrono.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gms/json/EntityJson.h"
#include "tools/ctl/Commands.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

struct AuditOptions {
  std::string kind;
  std::string key;
  std::int32_t limit = 50;
};

ExitCode runAudit(Context& context, const AuditOptions& options) {
  wire::AuditQuery query;
  if (!options.kind.empty()) {
    query.__set_kind(options.kind);
  }
  if (!options.key.empty()) {
    query.__set_key(options.key);
  }
  query.__set_limit(options.limit);
  json rows = json::array();
  tools::Table table({"when (UTC)", "who", "did", "what", "from", "to"});
  for (const wire::AuditEntry& entry : orFail(context.gms().listAudit(query))) {
    rows.push_back(gms::toJson(entry));
    table.row({fmt::format("{:%F %T}", fmt::gmtime(static_cast<std::time_t>(entry.atMs / 1000))), entry.actor,
               entry.action, entry.kind + " " + entry.key, entry.before, entry.after});
  }
  context.answer(json{{"audit", rows}}, table.str());
  return kDone;
}

}  // namespace

void addAudit(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("audit", "Who changed what in the GMS, the newest first");
  const auto options = std::make_shared<AuditOptions>();
  command.option("--kind", options->kind, "job, table, rule, member or parameter");
  command.option("--key", options->key, "only this one; a parameter's is NODE/NAME, /NAME for all nodes");
  command.option("--limit", options->limit, "entries").withDefault();
  command.footer("Example:\n  shiftctl audit --kind parameter");
  command.run(chosen, options, runAudit);
}

}  // namespace shift::ctl
