#pragma once

#include <functional>
#include <string>

#include "client-lib/ClientStats.h"
#include "common/Result.h"

namespace shift::client {

/** The numbers of a client in Prometheus' text format. `process` tells the processes of a host apart. */
std::string metricsOf(const ClientStats& stats, const std::string& process);

/**
 * Keeps a client's numbers in a file, for node_exporter's textfile collector: a trainer opens no port, and
 * may run many times on one host. "%p" in the file's name is this process's id. The file is there from the
 * first write() to the destructor, and always whole. Not thread-safe.
 */
class MetricsFile {
 public:
  MetricsFile(const std::string& path, std::function<ClientStats()> stats);
  ~MetricsFile();
  MetricsFile(const MetricsFile&) = delete;
  MetricsFile& operator=(const MetricsFile&) = delete;

  Status write() const;

 private:
  const std::string process_;
  const std::string path_;
  const std::function<ClientStats()> stats_;
};

}  // namespace shift::client
