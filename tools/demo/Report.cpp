#include "tools/demo/Report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "common/ByteSize.h"
#include "shift-node/AdminClient.h"
#include "tools/text/Table.h"

namespace shift::demo {
namespace {

using TrafficByName = std::map<std::string, wire::Traffic>;

constexpr Duration kAdminTimeout = std::chrono::seconds(5);

void merge(TrafficByName& sums, const std::vector<wire::Traffic>& rows) {
  for (const wire::Traffic& row : rows) {
    wire::Traffic& sum = sums[row.name];
    sum.requests += row.requests;
    sum.hits += row.hits;
    sum.fills += row.fills;
    sum.refusals += row.refusals;
    sum.servedBytes += row.servedBytes;
    sum.fetchedBytes += row.fetchedBytes;
  }
}

std::string size(std::int64_t bytes) {
  return formatByteSize(static_cast<double>(bytes));
}

std::string share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? "–"
                    : fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string trafficTable(const std::string& title, const TrafficByName& sums) {
  tools::Table table({title, "gets", "hits", "refused", "served", "fetched", "absorbed", "share"});
  wire::Traffic all;
  const auto addRow = [&](const std::string& name, const wire::Traffic& sum) {
    const std::int64_t absorbed = sum.servedBytes - sum.fetchedBytes;
    table.row({name, std::to_string(sum.requests), std::to_string(sum.hits), std::to_string(sum.refusals),
               size(sum.servedBytes), size(sum.fetchedBytes), size(absorbed),
               share(absorbed, sum.servedBytes)});
  };
  for (const auto& [name, sum] : sums) {
    addRow(name, sum);
    all.requests += sum.requests;
    all.hits += sum.hits;
    all.refusals += sum.refusals;
    all.servedBytes += sum.servedBytes;
    all.fetchedBytes += sum.fetchedBytes;
  }
  addRow("all", all);
  return table.str();
}

}  // namespace

Result<std::string> reportAbsorbed(const tools::LocalCluster& cluster) {
  TrafficByName byJob;
  TrafficByName byBucket;
  tools::Table nodes({"node", "engine", "segments", "held", "capacity"});
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    node::AdminClient admin(cluster.adminAddress(i), kAdminTimeout);
    const auto jobs = admin.trafficByJob();
    const auto buckets = admin.trafficByBucket();
    const auto status = admin.status();
    if (!jobs || !buckets || !status) {
      return !jobs ? jobs.error() : !buckets ? buckets.error() : status.error();
    }
    merge(byJob, *jobs);
    merge(byBucket, *buckets);
    nodes.row({status->id, status->engine, std::to_string(status->segments), size(status->usedBytes),
               size(status->capacityBytes)});
  }
  return trafficTable("job", byJob) + "\n" + trafficTable("bucket", byBucket) + "\n" + nodes.str();
}

Result<std::string> reportJobs(gms::GmsClient& gms) {
  const auto jobs = gms.listJobs();
  if (!jobs) {
    return jobs.error();
  }
  tools::Table table({"job in the GMS", "state", "partitions"});
  for (const wire::Job& job : *jobs) {
    table.row({job.id, wire::_JobState_VALUES_TO_NAMES.at(job.state),
               fmt::format("{}", fmt::join(job.dataset.partitions, ", "))});
  }
  return table.str();
}

}  // namespace shift::demo
