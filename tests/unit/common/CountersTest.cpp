#include "common/Counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift {
namespace {

TEST(CounterRegistry, GivesTheSameCounterForTheSameNameAndLabels) {
  CounterRegistry registry;
  registry.counter("gets_total", "Gets").add(2);
  registry.counter("gets_total", "Gets").add();
  EXPECT_EQ(registry.counter("gets_total", "").value(), 3);
  registry.counter("gets_total", "Gets", {{"tier", "dram"}}).add(5);
  EXPECT_EQ(registry.counter("gets_total", "").value(), 3);
  EXPECT_EQ(registry.counter("gets_total", "", {{"tier", "dram"}}).value(), 5);
}

TEST(CounterRegistry, NamesSeriesAsPrometheusDoes) {
  CounterRegistry registry;
  registry.counter("plain", "Plain");
  registry.counter("gets_total", "Gets", {{"outcome", "hit"}, {"tier", "flash"}});
  const std::vector<CounterValue> values = registry.snapshot();
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].name, "plain");
  EXPECT_EQ(values[1].name, R"(gets_total{outcome="hit",tier="flash"})");
  EXPECT_EQ(values[1].family, "gets_total");
  EXPECT_EQ(values[1].help, "Gets");
}

TEST(CounterRegistry, KeepsHistogramsApartFromCounters) {
  CounterRegistry registry;
  registry.histogram("get_seconds", "How long", {{"tier", "dram"}}).record(std::chrono::microseconds(7));
  EXPECT_TRUE(registry.snapshot().empty());
  const std::vector<HistogramValue> values = registry.histograms();
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].family, "get_seconds");
  EXPECT_EQ(values[0].counts.each[0], 1u);
}

}  // namespace
}  // namespace shift
