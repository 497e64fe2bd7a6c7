#include "metrics/RegistryMetrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "metrics/ProcessMetrics.h"

namespace shift::metrics {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string textOf(const CounterRegistry& registry, std::span<const Relabelled> relabelled = {}) {
  Exposition exposition;
  addRegistry(exposition, registry, relabelled);
  return exposition.text();
}

TEST(RegistryMetrics, TellsCountersFromGaugesByTheirNames) {
  CounterRegistry registry;
  registry.counter("node_gets_total", "Gets", {{"tier", "dram"}}).add(3);
  registry.counter("node_connections_open", "Connections").set(-2);
  const std::string text = textOf(registry);
  EXPECT_THAT(text,
              HasSubstr("# TYPE shift_node_gets_total counter\nshift_node_gets_total{tier=\"dram\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("# TYPE shift_node_connections_open gauge\nshift_node_connections_open -2\n"));
}

TEST(RegistryMetrics, ShowsTimesInSeconds) {
  CounterRegistry registry;
  registry.counter("disk_head_nanoseconds_total", "Busy").add(1'500'000'000);
  registry.counter("gms_staleness_nanoseconds", "Age").set(250'000'000);
  const std::string text = textOf(registry);
  EXPECT_THAT(text,
              HasSubstr("# TYPE shift_disk_head_seconds_total counter\nshift_disk_head_seconds_total 1.5\n"));
  EXPECT_THAT(text,
              HasSubstr("# TYPE shift_gms_staleness_seconds gauge\nshift_gms_staleness_seconds 0.25\n"));
}

TEST(RegistryMetrics, ShowsRelatedCountersAsOneFamily) {
  CounterRegistry registry;
  registry.counter("written_new_bytes_total", "New").add(1);
  registry.counter("written_again_bytes_total", "Again").add(2);
  const std::array<Relabelled, 2> causes = {
      {{"written_new_bytes_total", "written_bytes_total", "Written", "cause", "new"},
       {"written_again_bytes_total", "written_bytes_total", "Written", "cause", "again"}}};
  const std::string text = textOf(registry, causes);
  EXPECT_THAT(text, HasSubstr("shift_written_bytes_total{cause=\"again\"} 2\n"
                              "shift_written_bytes_total{cause=\"new\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("written_new")));
}

TEST(ProcessMetrics, TellsOfThisProcess) {
  Exposition exposition;
  addProcess(exposition, "shift-x", WallTime(std::chrono::seconds(1000)));
  const std::string text = exposition.text();
  EXPECT_THAT(text, HasSubstr("shift_build_info{program=\"shift-x\",version=\""));
  EXPECT_THAT(text, HasSubstr("process_start_time_seconds 1000\n"));
  EXPECT_THAT(text, HasSubstr("process_cpu_seconds_total "));
  EXPECT_THAT(text, HasSubstr("process_resident_memory_bytes "));
  EXPECT_THAT(text, HasSubstr("process_open_fds "));
}

}  // namespace
}  // namespace shift::metrics
