#include "tools/load/LoadReport.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/ByteSize.h"
#include "tools/text/Table.h"

namespace shift::load {
namespace {

constexpr double kMicrosecond = 1e3;  // in nanoseconds

double perSecond(double amount, double seconds) {
  return seconds > 0 ? amount / seconds : 0;
}

std::string size(std::int64_t bytes) {
  return formatByteSize(static_cast<double>(bytes));
}

std::string latency(double nanoseconds) {
  return nanoseconds < 1e6 ? fmt::format("{:.1f} us", nanoseconds / 1e3)
                           : fmt::format("{:.2f} ms", nanoseconds / 1e6);
}

double gibOf(std::uint64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(kGiB);
}

/** Of what this process read; nothing if it read nothing. */
std::optional<double> shareFromNodes(const client::ClientStats& stats) {
  const std::uint64_t all = stats.bytesFromNodes + stats.bytesFromBackingStore + stats.bytesPastCache;
  return all == 0 ? std::nullopt
                  : std::optional(static_cast<double>(stats.bytesFromNodes) / static_cast<double>(all));
}

std::vector<std::string> trafficRow(const std::string& name, const ReaderResult& result, double seconds) {
  const auto at = [&](double q) { return latency(static_cast<double>(result.latency.quantile(q))); };
  return {name,
          std::to_string(result.reads),
          fmt::format("{:.3f}", perSecond(static_cast<double>(result.bytes), seconds) / 1e9),
          fmt::format("{:.0f}", perSecond(static_cast<double>(result.reads), seconds)),
          at(0.5),
          at(0.99),
          at(0.999),
          latency(static_cast<double>(result.latency.max())),
          std::to_string(result.failedReads),
          std::to_string(result.wrongBytes)};
}

nlohmann::ordered_json jsonOf(const ReaderResult& result, double seconds) {
  const auto microseconds = [&](double q) {
    return static_cast<double>(result.latency.quantile(q)) / kMicrosecond;
  };
  return {{"reads", result.reads},
          {"bytes", result.bytes},
          {"gb_per_s", perSecond(static_cast<double>(result.bytes), seconds) / 1e9},
          {"iops", perSecond(static_cast<double>(result.reads), seconds)},
          {"latency_us",
           {{"mean", result.latency.mean() / kMicrosecond},
            {"p50", microseconds(0.5)},
            {"p99", microseconds(0.99)},
            {"p999", microseconds(0.999)},
            {"max", static_cast<double>(result.latency.max()) / kMicrosecond}}},
          {"failed_reads", result.failedReads},
          {"wrong_reads", result.wrongReads},
          {"wrong_bytes", result.wrongBytes},
          {"changed_reads", result.changedReads}};
}

std::string tierLines(const LoadReport& report) {
  const client::ClientStats& tier = *report.tier;
  const std::optional<double> share = shareFromNodes(tier);
  std::string text = report.nodes
                         ? fmt::format("  absorbed IO   {} = {} served by nodes − {} they fetched\n",
                                       size(report.nodes->absorbedBytes()), size(report.nodes->servedBytes),
                                       size(report.nodes->fetchedBytes))
                         : fmt::format("  absorbed IO   unknown: {}\n", report.nodesUnknown);
  text += fmt::format(
      "  from nodes    {}: {} from nodes, {} from the backing store, {} past the cache\n"
      "  gets          {} hit, {} refused, {} failed, {} skipped, {} hedged, {} corrupt\n",
      share ? fmt::format("{:.1f} %", 100 * *share) : "–",
      formatByteSize(static_cast<double>(tier.bytesFromNodes)),
      formatByteSize(static_cast<double>(tier.bytesFromBackingStore)),
      formatByteSize(static_cast<double>(tier.bytesPastCache)), tier.getsHit, tier.getsRefused,
      tier.getsFailed, tier.getsSkipped, tier.getsHedged, tier.checksumMismatches);
  return text;
}

}  // namespace

bool LoadReport::isGood() const {
  const ReaderResult total = result.total();
  return total.reads > 0 && total.failedReads == 0 && total.wrongReads == 0;
}

std::string toTable(const LoadReport& report) {
  const ReaderResult total = report.result.total();
  tools::Table table({"job", "reads", "GB/s", "IOPS", "p50", "p99", "p99.9", "max", "failed", "wrong bytes"});
  for (std::size_t job = 0; job < report.result.jobs.size(); ++job) {
    table.row(trafficRow(report.jobNames[job], report.result.jobs[job], report.result.seconds));
  }
  table.row(trafficRow("all", total, report.result.seconds));
  std::string text = table.str() + "\n";
  if (report.tier) {
    text += tierLines(report);
  }
  text += fmt::format("  CPU           {:.3f} s/GiB of this process\n",
                      total.bytes > 0 ? report.result.cpuSeconds / gibOf(total.bytes) : 0);
  if (report.disks) {
    text += fmt::format("  disks         {} modelled here: {} reads, {}, {:.3f} s of disk-head time\n",
                        report.disks->disks, report.disks->reads, size(report.disks->bytes),
                        report.disks->headSeconds);
  }
  text += fmt::format("  verified      {}\n",
                      report.verified ? "every byte, against the backing store" : "no: --no-verify");
  if (report.result.idleReaders > 0) {
    text += fmt::format(
        "  idle          {} readers read nothing: there were fewer parts, or reads, than readers\n",
        report.result.idleReaders);
  }
  if (total.changedReads > 0) {
    text +=
        fmt::format("  changed       {} reads of files that were written to meanwhile\n", total.changedReads);
  }
  if (!total.firstFault.empty()) {
    text += fmt::format("  first fault   {}\n", total.firstFault);
  }
  return text;
}

std::string toJson(const LoadReport& report) {
  const ReaderResult total = report.result.total();
  nlohmann::ordered_json json = {{"pattern", report.pattern},
                                 {"target", report.tier ? "tier" : "direct"},
                                 {"jobs", report.jobNames.size()},
                                 {"readers_per_job", report.readers},
                                 {"rate", nullptr},
                                 {"verified", report.verified},
                                 {"seconds", report.result.seconds}};
  if (report.readsPerSecond > 0) {
    json["rate"] = report.readsPerSecond;
  }
  json.update(jsonOf(total, report.result.seconds));
  json["idle_readers"] = report.result.idleReaders;
  json["cpu_seconds"] = report.result.cpuSeconds;
  json["cpu_s_per_gib"] = total.bytes > 0 ? report.result.cpuSeconds / gibOf(total.bytes) : 0;
  json["absorbed_bytes"] = nullptr;
  json["node_served_bytes"] = nullptr;
  json["node_fetched_bytes"] = nullptr;
  if (report.nodes) {
    json["absorbed_bytes"] = report.nodes->absorbedBytes();
    json["node_served_bytes"] = report.nodes->servedBytes;
    json["node_fetched_bytes"] = report.nodes->fetchedBytes;
  }
  json["tier"] = nullptr;
  if (report.tier) {
    const std::optional<double> share = shareFromNodes(*report.tier);
    json["tier"] = {{"share_from_nodes", share ? nlohmann::ordered_json(*share) : nullptr},
                    {"bytes_from_nodes", report.tier->bytesFromNodes},
                    {"bytes_from_store", report.tier->bytesFromBackingStore},
                    {"bytes_past_cache", report.tier->bytesPastCache},
                    {"bytes_read_ahead", report.tier->bytesReadAhead},
                    {"gets_hit", report.tier->getsHit},
                    {"gets_refused", report.tier->getsRefused},
                    {"gets_failed", report.tier->getsFailed},
                    {"gets_skipped", report.tier->getsSkipped},
                    {"gets_hedged", report.tier->getsHedged},
                    {"checksum_mismatches", report.tier->checksumMismatches}};
  }
  json["disks"] = nullptr;
  if (report.disks) {
    json["disks"] = {{"disks", report.disks->disks},
                     {"reads", report.disks->reads},
                     {"bytes", report.disks->bytes},
                     {"head_seconds", report.disks->headSeconds}};
  }
  json["first_fault"] = nullptr;
  if (!total.firstFault.empty()) {
    json["first_fault"] = total.firstFault;
  }
  json["by_job"] = nlohmann::ordered_json::array();
  for (std::size_t job = 0; job < report.result.jobs.size(); ++job) {
    nlohmann::ordered_json row = {{"job", report.jobNames[job]}};
    row.update(jsonOf(report.result.jobs[job], report.result.seconds));
    json["by_job"].push_back(std::move(row));
  }
  // Paths may hold any bytes; what is not UTF-8 is replaced rather than refused.
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace shift::load
