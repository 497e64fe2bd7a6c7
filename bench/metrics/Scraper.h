#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/Clock.h"
#include "common/HostPort.h"

namespace shift::bench {

/** Reads /metrics of a node again and again, as Prometheus does, from its making to its end. */
class Scraper {
 public:
  /** The first scrape comes half an interval after the start; an interval of 0 leaves no pause between them.
   */
  Scraper(const HostPort& node, Duration interval, const Clock& clock);

  struct Scrapes {
    std::vector<double> milliseconds;  // how long each took
    std::size_t bytes = 0;             // of the last
    double cpuMilliseconds = 0;        // of the node, from the first to the last
    std::string fault;                 // of the first that failed; empty: none did
  };
  /** Ends it, and tells what came of it. */
  Scrapes stop();

 private:
  void run();
  /** False if it was stopped meanwhile. */
  bool pause(Duration duration);

  const HostPort node_;
  const Duration interval_;
  const Clock& clock_;
  Scrapes scrapes_;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool isStopping_ = false;
  std::thread thread_;
};

}  // namespace shift::bench
