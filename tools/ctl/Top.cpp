#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "common/ByteSize.h"
#include "common/Duration.h"
#include "common/Waiter.h"
#include "shift-node/AdminJson.h"
#include "tools/ctl/Commands.h"
#include "tools/ctl/Format.h"
#include "tools/text/Table.h"

namespace shift::ctl {
namespace {

using nlohmann::json;

struct TopOptions {
  std::string interval = "2s";
  std::int32_t limit = 15;
  std::uint32_t count = 0;  // 0: until it is interrupted
};

/** What one node told of its buckets and jobs. */
struct Traffic {
  std::vector<wire::BucketView> buckets;
  std::vector<wire::Traffic> jobs;
};

/** The sums over all nodes, at one time. */
struct Picture {
  TimePoint at;
  std::map<std::string, wire::BucketView> buckets;
  std::map<std::string, wire::Traffic> jobs;
  std::vector<Answer<Traffic>> answers;
};

Picture look(Context& context) {
  Picture picture;
  picture.answers = context.askAll<Traffic>([](node::AdminClient& admin) -> Result<Traffic> {
    auto buckets = admin.buckets(0);
    if (!buckets) {
      return buckets.error();
    }
    auto jobs = admin.trafficByJob();
    if (!jobs) {
      return jobs.error();
    }
    return Traffic{*std::move(buckets), *std::move(jobs)};
  });
  picture.at = context.clock().now();
  for (const auto& answer : picture.answers) {
    for (const wire::BucketView& bucket :
         answer.result ? answer.result->buckets : std::vector<wire::BucketView>()) {
      node::add(picture.buckets[bucket.traffic.name], bucket);
    }
    for (const wire::Traffic& job : answer.result ? answer.result->jobs : std::vector<wire::Traffic>()) {
      node::add(picture.jobs[job.name], job);
    }
  }
  return picture;
}

/** What happened between two pictures; the busiest first, at most so many. */
std::vector<wire::Traffic> busiest(const std::map<std::string, wire::Traffic>& now,
                                   const std::map<std::string, wire::Traffic>& before, std::int32_t limit) {
  std::vector<wire::Traffic> rows;
  for (const auto& [name, sum] : now) {
    wire::Traffic traffic = sum;
    if (const auto old = before.find(name); old != before.end() && old->second.requests <= traffic.requests) {
      node::add(traffic, old->second, -1);
    }
    rows.push_back(traffic);
  }
  std::ranges::stable_sort(rows, [](const wire::Traffic& a, const wire::Traffic& b) {
    return std::pair(a.servedBytes, a.requests) > std::pair(b.servedBytes, b.requests);
  });
  if (rows.size() > static_cast<std::size_t>(limit)) {
    rows.resize(static_cast<std::size_t>(limit));
  }
  return rows;
}

std::map<std::string, wire::Traffic> trafficOf(const std::map<std::string, wire::BucketView>& buckets) {
  std::map<std::string, wire::Traffic> traffic;
  for (const auto& [name, bucket] : buckets) {
    traffic[name] = bucket.traffic;
  }
  return traffic;
}

std::string hitShare(const wire::Traffic& traffic) {
  return percent(static_cast<double>(traffic.hits), static_cast<double>(traffic.requests));
}

void show(const Context& context, const Picture& before, const Picture& now, const TopOptions& options) {
  const double seconds = std::chrono::duration<double>(now.at - before.at).count();
  const auto buckets = busiest(trafficOf(now.buckets), trafficOf(before.buckets), options.limit);
  const auto jobs = busiest(now.jobs, before.jobs, options.limit);
  if (context.options().json) {
    json out = {{"seconds", seconds}, {"buckets", json::array()}, {"jobs", json::array()}};
    for (const wire::Traffic& row : buckets) {
      wire::BucketView view = now.buckets.at(row.name);
      view.traffic = row;
      out["buckets"].push_back(node::toJson(view));
    }
    for (const wire::Traffic& row : jobs) {
      out["jobs"].push_back(node::toJson(row));
    }
    return context.printJson(out);
  }
  const auto perSecond = [&](std::int64_t bytes) { return rate(static_cast<double>(bytes), seconds); };
  tools::Table bucketTable(
      {"bucket", "served", "absorbed", "requests/s", "hits", "refused", "priority", "decision"});
  for (const wire::Traffic& row : buckets) {
    const wire::BucketView& view = now.buckets.at(row.name);
    bucketTable.row({row.name, perSecond(row.servedBytes), perSecond(row.servedBytes - row.fetchedBytes),
                     fmt::format("{:.0f}", static_cast<double>(row.requests) / seconds), hitShare(row),
                     percent(static_cast<double>(row.refusals), static_cast<double>(row.requests)),
                     fmt::format("{:.2f}", view.priority), view.decision});
  }
  tools::Table jobTable({"job", "served", "absorbed", "requests/s", "hits"});
  for (const wire::Traffic& row : jobs) {
    jobTable.row({row.name.empty() ? "(none said)" : row.name, perSecond(row.servedBytes),
                  perSecond(row.servedBytes - row.fetchedBytes),
                  fmt::format("{:.0f}", static_cast<double>(row.requests) / seconds), hitShare(row)});
  }
  const bool isLive = isatty(STDOUT_FILENO) == 1 && options.count != 1;
  context.print((isLive ? "\033[H\033[J" : "") + bucketTable.str() + "\n" + jobTable.str());
}

ExitCode runTop(Context& context, const TopOptions& options) {
  const Duration interval = orFail(parseDuration(options.interval));
  const SystemWaiter waiter;
  Picture before = look(context);
  ExitCode code = codeOf(context, before.answers);
  for (std::uint32_t i = 0; options.count == 0 || i < options.count; ++i) {
    waiter.waitUntil(context.clock().now() + interval);
    Picture now = look(context);
    show(context, before, now, options);
    before = std::move(now);
  }
  return code;
}

}  // namespace

void addTop(Arguments& app, Chosen& chosen) {
  Arguments command =
      app.command("top", "Live: buckets by traffic with their decision, jobs by bytes and hit share");
  const auto options = std::make_shared<TopOptions>();
  command.option("--interval", options->interval, "time between two looks").withDefault();
  command.option("--limit", options->limit, "rows of each table").withDefault().atLeast(1);
  command.option("--count", options->count, "looks, then end; 0 = until interrupted").withDefault();
  command.footer("Examples:\n  shiftctl top\n  shiftctl top --count 1 --interval 10s --json");
  command.run(chosen, options, runTop);
}

}  // namespace shift::ctl
