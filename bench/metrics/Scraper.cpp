#include "bench/metrics/Scraper.h"

#include <httplib.h>

namespace shift::bench {
namespace {

/** What a page says of the node's CPU time. */
double cpuMilliseconds(const std::string& page) {
  const std::string name = "\nprocess_cpu_seconds_total ";
  const std::size_t at = page.find(name);
  return at == std::string::npos ? 0 : 1e3 * std::stod(page.substr(at + name.size(), 32));
}

}  // namespace

Scraper::Scraper(const HostPort& node, Duration interval, const Clock& clock)
    : node_(node), interval_(interval), clock_(clock), thread_([this] { run(); }) {}

Scraper::Scrapes Scraper::stop() {
  {
    std::lock_guard lock(mutex_);
    isStopping_ = true;
  }
  stopped_.notify_all();
  thread_.join();
  return scrapes_;
}

void Scraper::run() {
  httplib::Client client(node_.host, node_.port);
  client.set_keep_alive(true);
  double firstCpu = 0;
  for (Duration wait = interval_ / 2; pause(wait); wait = interval_) {
    const TimePoint began = clock_.now();
    const httplib::Result page = client.Get("/metrics");
    if (!page || page->status != 200) {
      scrapes_.fault = page ? "status " + std::to_string(page->status) : httplib::to_string(page.error());
      return;
    }
    scrapes_.milliseconds.push_back(std::chrono::duration<double, std::milli>(clock_.now() - began).count());
    scrapes_.bytes = page->body.size();
    const double cpu = cpuMilliseconds(page->body);
    firstCpu = scrapes_.milliseconds.size() == 1 ? cpu : firstCpu;
    scrapes_.cpuMilliseconds = cpu - firstCpu;
  }
}

bool Scraper::pause(Duration duration) {
  std::unique_lock lock(mutex_);
  return !stopped_.wait_for(lock, duration, [this] { return isStopping_; });
}

}  // namespace shift::bench
