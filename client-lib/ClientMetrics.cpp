#include "client-lib/ClientMetrics.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "metrics/Exposition.h"

namespace shift::client {
namespace {

using metrics::Kind;

std::string withProcess(std::string path, const std::string& process) {
  constexpr std::string_view kPlace = "%p";
  for (std::size_t at = path.find(kPlace); at != std::string::npos; at = path.find(kPlace, at)) {
    path.replace(at, kPlace.size(), process);
  }
  return path;
}

}  // namespace

std::string metricsOf(const ClientStats& stats, const std::string& process) {
  metrics::Exposition exposition;
  const auto add = [&](const char* name, const char* help, std::uint64_t value, const Labels& more = {}) {
    Labels labels = more;
    labels.emplace_back("pid", process);
    exposition.add(name, help, Kind::kCounter, labels, static_cast<double>(value));
  };
  add("shift_client_reads_total", "Reads that were asked of the client", stats.preads);
  const char* const bytes = "shift_client_read_bytes_total";
  const char* const bytesHelp = "Bytes read, by where they came from";
  add(bytes, bytesHelp, stats.bytesFromNodes, {{"source", "node"}});
  add(bytes, bytesHelp, stats.bytesFromBackingStore, {{"source", "store"}});
  add(bytes, bytesHelp, stats.bytesPastCache, {{"source", "past-cache"}});
  add("shift_client_read_ahead_bytes_total", "Bytes that were read before they were asked for",
      stats.bytesReadAhead);
  const char* const gets = "shift_client_gets_total";
  const char* const getsHelp = "Gets of nodes, by what became of them";
  add(gets, getsHelp, stats.getsHit, {{"outcome", "hit"}});
  add(gets, getsHelp, stats.getsRefused, {{"outcome", "refused"}});
  add(gets, getsHelp, stats.getsFailed, {{"outcome", "failed"}});
  add(gets, getsHelp, stats.getsSkipped, {{"outcome", "skipped"}});
  add(gets, getsHelp, stats.getsHedged, {{"outcome", "hedged"}});
  add("shift_client_checksum_mismatches_total", "Answers of nodes that were thrown away",
      stats.checksumMismatches);
  return exposition.text();
}

MetricsFile::MetricsFile(const std::string& path, std::function<ClientStats()> stats)
    : process_(std::to_string(::getpid())), path_(withProcess(path, process_)), stats_(std::move(stats)) {}

MetricsFile::~MetricsFile() {
  std::error_code ignored;  // it may never have been written
  std::filesystem::remove(path_, ignored);
}

Status MetricsFile::write() const {
  const std::string fresh = path_ + ".new";
  std::ofstream file(fresh);
  file << metricsOf(stats_(), process_);
  file.close();
  std::error_code fault;
  if (file) {
    std::filesystem::rename(fresh, path_, fault);
  }
  return file && !fault ? Status()
                        : Status(Error{ErrorCode::kIo, "cannot write " + path_ +
                                                           ": no such directory, no permission or no room; "
                                                           "metrics.file says where"});
}

}  // namespace shift::client
