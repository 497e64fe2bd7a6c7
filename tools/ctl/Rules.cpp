#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gms/json/EntityJson.h"
#include "tools/ctl/Commands.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

struct RuleOptions {
  std::string id;
  std::string action;
  std::int32_t order = 0;
  std::string prefix;
  std::string table;
  std::string tag;
  std::string jobClass;
  double percentage = 100;
  std::string comment;
};

ExitCode listRules(Context& context) {
  const std::vector<wire::EligibilityRule> rules = orFail(context.gms().listRules());
  json rows = json::array();
  tools::Table table({"rule", "order", "action", "matches", "share of files", "comment"});
  for (const wire::EligibilityRule& rule : rules) {
    const json row = gms::toJson(rule);
    rows.push_back(row);
    std::string matches;
    for (const char* field : {"path_prefix", "table", "tag", "class"}) {
      if (row.contains(field)) {
        matches += fmt::format("{}{} {}", matches.empty() ? "" : ", ", field, row[field].get<std::string>());
      }
    }
    table.row({rule.id, std::to_string(rule.order), row["action"], matches.empty() ? "everything" : matches,
               fmt::format("{:g} %", rule.percentage), rule.comment});
  }
  context.answer(json{{"rules", rows}}, table.str());
  return kDone;
}

ExitCode putRule(Context& context, const RuleOptions& options) {
  json object = {{"id", options.id},
                 {"action", options.action},
                 {"order", options.order},
                 {"percentage", options.percentage}};
  const auto give = [&](const char* field, const std::string& value) {
    if (!value.empty()) {
      object[field] = value;
    }
  };
  give("path_prefix", options.prefix);
  give("table", options.table);
  give("tag", options.tag);
  give("class", options.jobClass);
  give("comment", options.comment);
  gms::Faults faults;
  const wire::EligibilityRule rule = gms::ruleFromJson(object, faults);
  if (!faults.empty()) {
    throw Failure(kRefused, fmt::format("{}", faults.front()));
  }
  const wire::EligibilityRule stored = orFail(context.gms().putRule(rule));
  context.answer(gms::toJson(stored),
                 fmt::format("Rule {} is in force; clients follow within seconds.", stored.id));
  return kDone;
}

ExitCode removeRule(Context& context, const RuleOptions& options) {
  orFail(context.gms().deleteRule(options.id));
  context.answer(nlohmann::json::object(), fmt::format("Rule {} is gone.", options.id));
  return kDone;
}

}  // namespace

void addRules(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("rules", "Eligibility: which reads go through the cache");
  command.footer(
      "The first rule that matches decides, by order and then id.\n"
      "Examples:\n"
      "  shiftctl rules list\n"
      "  shiftctl rules put cold-logs --action bypass --prefix warehouse:logs --order 10\n"
      "  shiftctl rules put clicks-half --action cache --table clicks --percentage 50");
  command.command("list", "All rules, in the order in which they are tried").run(chosen, listRules);
  const auto options = std::make_shared<RuleOptions>();
  const auto withId = [&](const char* name, const char* help,
                          std::function<ExitCode(Context&, const RuleOptions&)> run) {
    Arguments sub = command.command(name, help);
    sub.option("id", options->id, "the rule's id").required();
    sub.run(chosen, options, std::move(run));
    return sub;
  };
  Arguments putting = withId("put", "Make or replace a rule", putRule);
  putting.option("--action", options->action, "cache or bypass").required().oneOf({"cache", "bypass"});
  putting.option("--order", options->order, "lower is tried first").withDefault();
  putting.option("--prefix", options->prefix, "store:directory, for reads at or below it");
  putting.option("--table", options->table, "for reads of this table");
  putting.option("--tag", options->tag, "for reads with this tag");
  putting.option("--class", options->jobClass, "ml-training or other");
  putting.option("--percentage", options->percentage, "share of the files that it is for").withDefault();
  putting.option("--comment", options->comment, "for people");
  withId("delete", "Take a rule away", removeRule);
}

}  // namespace shift::ctl
