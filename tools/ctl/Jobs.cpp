#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "common/ByteSize.h"
#include "common/Duration.h"
#include "common/WallMilliseconds.h"
#include "gms/json/JobJson.h"
#include "gms/json/JsonFields.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

struct SubmitOptions {
  std::string file;
  std::string id;
  std::string owner;
  std::string store;
  std::string table;
  std::vector<std::string> partitions;
  std::string predicate;
  std::vector<std::string> features;
  std::string order;
  std::int64_t seed = 0;
  std::int32_t epochs = 0;
  std::string rate;
  std::string ttl;
  bool replace = false;
};

struct ListOptions {
  std::vector<std::string> states;
  std::string owner;
  std::string table;
};

struct EndOptions {
  std::string id;
  std::string reason;
};

std::string textOf(const std::string& file) {
  if (file == "-") {
    return {std::istreambuf_iterator<char>(std::cin), {}};
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw Failure(kRefused, "cannot read " + file);
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

/** The same JSON that a spec file holds, so that both are checked by the same rules. */
std::string specOf(const SubmitOptions& options) {
  json dataset = {{"store", options.store}, {"table", options.table}};
  if (!options.partitions.empty()) {
    dataset["partitions"] = options.partitions;
  }
  if (!options.predicate.empty()) {
    dataset["predicate"] = options.predicate;
  }
  if (!options.features.empty()) {
    dataset["features"] = options.features;
  }
  if (!options.order.empty()) {
    dataset["order"] = options.order;
  }
  if (options.order == "seeded") {
    dataset["seed"] = options.seed;
  }
  if (options.epochs != 0) {
    dataset["epochs"] = options.epochs;
  }
  json job = {{"id", options.id}, {"dataset", dataset}};
  if (!options.owner.empty()) {
    job["owner"] = options.owner;
  }
  if (!options.rate.empty()) {
    job["expected_bytes_per_second"] = orFail(parseByteSize(options.rate));
  }
  if (!options.ttl.empty()) {
    job["ttl_ms"] = orFail(parseDuration(options.ttl)) / std::chrono::milliseconds(1);
  }
  return job.dump();
}

void printJob(const Context& context, const wire::Job& job, const std::string& words) {
  context.answer(gms::toJson(job), words);
}

ExitCode submit(Context& context, const SubmitOptions& options) {
  const std::string spec = options.file.empty() ? specOf(options) : textOf(options.file);
  const Result<wire::Job> job = gms::readJobSpec(spec);
  if (!job) {
    throw Failure(kRefused, job.error().message);
  }
  const wire::Job stored =
      orFail(options.replace ? context.gms().replaceJob(*job) : context.gms().registerJob(*job));
  printJob(context, stored,
           fmt::format("Job {} is {}: {} partition(s) of {}.", stored.id,
                       gms::nameOf(gms::jobStates(), stored.state), stored.dataset.partitions.size(),
                       stored.dataset.table));
  return kDone;
}

ExitCode list(Context& context, const ListOptions& options) {
  std::vector<std::int32_t> states;
  for (const std::string& name : options.states) {
    const auto known = std::ranges::find(gms::jobStates(), name, &gms::NamedChoice::name);
    if (known == gms::jobStates().end()) {
      throw Failure(kRefused, fmt::format("--state: there is no state \"{}\"", name));
    }
    states.push_back(known->value);
  }
  std::vector<wire::Job> jobs = orFail(context.gms().listJobs(states));
  std::erase_if(jobs, [&](const wire::Job& job) {
    return (!options.owner.empty() && job.owner != options.owner) ||
           (!options.table.empty() && job.dataset.table != options.table);
  });
  if (context.options().json) {
    json rows = json::array();
    for (const wire::Job& job : jobs) {
      rows.push_back(gms::toJson(job));
    }
    context.printJson(json{{"jobs", rows}});
    return kDone;
  }
  const std::int64_t nowMs = wallMilliseconds(context.clock());
  tools::Table table(
      {"job", "owner", "state", "table", "partitions", "epochs", "created", "last sign of life"});
  for (const wire::Job& job : jobs) {
    table.row({job.id, job.owner.empty() ? "-" : job.owner, gms::nameOf(gms::jobStates(), job.state),
               job.dataset.table, std::to_string(job.dataset.partitions.size()),
               std::to_string(job.dataset.epochs), ago(job.createdMs, nowMs), ago(job.heartbeatMs, nowMs)});
  }
  context.print(table.str());
  return kDone;
}

ExitCode show(Context& context, const std::string& id) {
  const wire::Job job = orFail(context.gms().getJob(id));
  if (context.options().json) {
    context.printJson(gms::toJson(job));
    return kDone;
  }
  const std::int64_t nowMs = wallMilliseconds(context.clock());
  std::string text = fmt::format("Job {} of {}: {}{}\n", job.id, job.owner.empty() ? "nobody" : job.owner,
                                 gms::nameOf(gms::jobStates(), job.state),
                                 job.reason.empty() ? "" : " (" + job.reason + ")");
  text += fmt::format("created {}, last sign of life {}\n", ago(job.createdMs, nowMs),
                      ago(job.heartbeatMs, nowMs));
  text +=
      fmt::format("reads {}:{}{}, {} epoch(s)\n", job.dataset.store, job.dataset.table,
                  job.dataset.predicate.empty() ? "" : " where " + job.dataset.predicate, job.dataset.epochs);
  tools::Table table({"partition", "read", "finished", "last read"});
  for (const std::string& directory : job.dataset.partitions) {
    const auto progress = std::ranges::find(job.progress, directory, &wire::PartitionProgress::directory);
    const bool isBegun = progress != job.progress.end();
    table.row({directory, isBegun ? formatByteSize(static_cast<double>(progress->readBytes)) : "-",
               isBegun && progress->finished ? "yes" : "no",
               isBegun ? ago(progress->updatedMs, nowMs) : "-"});
  }
  context.print(text + table.str());
  return kDone;
}

ExitCode end(Context& context, const EndOptions& options, wire::JobState::type state) {
  wire::JobPatch patch;
  patch.__set_state(state);
  if (!options.reason.empty()) {
    patch.__set_reason(options.reason);
  }
  const wire::Job job = orFail(context.gms().changeJob(options.id, patch));
  printJob(context, job, fmt::format("Job {} is {}.", job.id, gms::nameOf(gms::jobStates(), job.state)));
  return kDone;
}

void addSubmit(Arguments& jobs, Chosen& chosen) {
  Arguments command = jobs.command("submit", "Announce what a job will read");
  const auto options = std::make_shared<SubmitOptions>();
  const Argument file = command.option("-f,--file", options->file, "spec as JSON; - is standard input");
  command.option("--id", options->id, "the job's id").notWith(file);
  command.option("--owner", options->owner, "whose it is").notWith(file);
  command.option("--store", options->store, "the backing store's name").notWith(file);
  command.option("--table", options->table, "a registered table").notWith(file);
  command.option("--partition", options->partitions, "directory, in the order of reading; may be repeated")
      .notWith(file);
  command.option("--where", options->predicate, "instead: a predicate on a Hive-style layout").notWith(file);
  command.option("--feature", options->features, "may be repeated; none = all").notWith(file);
  command.option("--order", options->order, "listed, seeded or unknown").notWith(file);
  command.option("--seed", options->seed, "of a seeded order").notWith(file);
  command.option("--epochs", options->epochs, "how often it reads all of it").notWith(file);
  command.option("--rate", options->rate, "bytes a second that it is expected to read, as in 2GB")
      .notWith(file);
  command.option("--ttl", options->ttl, "expires when silent for this long, as in 2h").notWith(file);
  command.flag("--replace", options->replace, "the spec of a known job becomes this one");
  command.footer(
      "Examples:\n"
      "  shiftctl jobs submit -f job.json\n"
      "  shiftctl jobs submit --id resnet-7 --store warehouse --table clicks --where 'ds>=2026-11-01' "
      "--epochs 3\n"
      "  shiftctl jobs submit --id j1 --store w --table t --partition t/ds=1 --partition t/ds=2 --order "
      "listed");
  command.run(chosen, options, submit);
}

}  // namespace

void addJobs(Arguments& app, Chosen& chosen) {
  Arguments command = app.command("jobs", "Training jobs and what they announced");
  addSubmit(command, chosen);

  Arguments listing = command.command("list", "All jobs, or some");
  const auto listOptions = std::make_shared<ListOptions>();
  listing.option("--state", listOptions->states,
                 "queued, running, finished, failed, expired; may be repeated");
  listing.option("--owner", listOptions->owner, "only this owner's");
  listing.option("--table", listOptions->table, "only those that read this table");
  listing.footer("Example:\n  shiftctl jobs list --state running");
  listing.run(chosen, listOptions, list);

  const auto endOptions = std::make_shared<EndOptions>();
  const auto withId = [&](const char* name, const char* help,
                          std::function<ExitCode(Context&, const EndOptions&)> run) {
    Arguments sub = command.command(name, help);
    sub.option("id", endOptions->id, "the job's id").required();
    sub.run(chosen, endOptions, std::move(run));
    return sub;
  };
  withId("show", "One job, with its progress",
         [](Context& context, const EndOptions& given) { return show(context, given.id); });
  withId("finish", "It has read what it wanted", [](Context& context, const EndOptions& given) {
    return end(context, given, wire::JobState::FINISHED);
  });
  withId("fail", "It will not read on", [](Context& context, const EndOptions& given) {
    return end(context, given, wire::JobState::FAILED);
  }).option("--reason", endOptions->reason, "why");
}

}  // namespace shift::ctl
