#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/ByteSize.h"
#include "gms/json/EntityJson.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

struct TableOptions {
  std::string name;
  std::string store;
  std::string root;
  std::string owner;
  bool onboarded = false;
};

ExitCode listTables(Context& context) {
  const std::vector<wire::Table> tables = orFail(context.gms().listTables());
  if (context.options().json) {
    json rows = json::array();
    for (const wire::Table& table : tables) {
      rows.push_back(gms::toJson(table));
    }
    context.printJson(json{{"tables", rows}});
    return kDone;
  }
  tools::Table text(
      {"table", "root", "owner", "onboarded", "stored", "through the cache, last day", "past it"});
  for (const wire::Table& table : tables) {
    text.row({table.name, table.store + ":" + table.root, table.owner.empty() ? "-" : table.owner,
              table.onboarded ? "yes" : "no",
              table.__isset.storedBytes ? formatByteSize(static_cast<double>(table.storedBytes)) : "-",
              formatByteSize(static_cast<double>(table.demand.throughCacheBytes)),
              formatByteSize(static_cast<double>(table.demand.pastCacheBytes))});
  }
  context.print(text.str());
  return kDone;
}

ExitCode putTable(Context& context, const TableOptions& options) {
  wire::Table table;
  table.__set_name(options.name);
  table.__set_store(options.store);
  table.__set_root(options.root);
  table.__set_owner(options.owner);
  table.__set_onboarded(options.onboarded);
  const wire::Table stored = orFail(context.gms().putTable(table));
  context.answer(gms::toJson(stored),
                 fmt::format("Table {} is {}:{}, {}.", stored.name, stored.store, stored.root,
                             stored.onboarded ? "onboarded" : "not onboarded: its reads go past the cache"));
  return kDone;
}

ExitCode onboard(Context& context, const std::string& name, bool isOnboarded) {
  const wire::Table table = orFail(context.gms().getTable(name));
  return putTable(context, {table.name, table.store, table.root, table.owner, isOnboarded});
}

ExitCode removeTable(Context& context, const std::string& name) {
  orFail(context.gms().deleteTable(name));
  context.answer(nlohmann::json::object(), fmt::format("Table {} is gone.", name));
  return kDone;
}

}  // namespace

void addTables(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("tables", "Tables: where they are, whose, whether they may be cached");
  command.footer(
      "Examples:\n"
      "  shiftctl tables list\n"
      "  shiftctl tables put clicks --store warehouse --root tables/clicks --onboarded\n"
      "  shiftctl tables offboard clicks");
  command.command("list", "All tables with their size and demand").run(chosen, listTables);
  const auto options = std::make_shared<TableOptions>();
  const auto withName = [&](const char* name, const char* help,
                            std::function<ExitCode(Context&, const TableOptions&)> run) {
    Arguments sub = command.command(name, help);
    sub.option("name", options->name, "the table's name").required();
    sub.run(chosen, options, std::move(run));
    return sub;
  };
  Arguments putting = withName("put", "Make or replace a table", putTable);
  putting.option("--store", options->store, "the backing store's name").required();
  putting.option("--root", options->root, "directory below the store's root").required();
  putting.option("--owner", options->owner, "whose it is");
  putting.flag("--onboarded", options->onboarded, "its reads may go through the cache");
  withName("onboard", "Let its reads go through the cache",
           [](Context& context, const TableOptions& given) { return onboard(context, given.name, true); });
  withName("offboard", "Let its reads go past the cache",
           [](Context& context, const TableOptions& given) { return onboard(context, given.name, false); });
  withName("delete", "Forget a table that no job reads",
           [](Context& context, const TableOptions& given) { return removeTable(context, given.name); });
}

}  // namespace shift::ctl
