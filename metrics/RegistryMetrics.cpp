#include "metrics/RegistryMetrics.h"

#include <algorithm>

namespace shift::metrics {
namespace {

constexpr std::string_view kPrefix = "shift_";
constexpr std::string_view kNanoseconds = "_nanoseconds";
constexpr double kPerNanosecond = 1e-9;

void addCounter(Exposition& exposition, std::string name, const std::string& help, const Labels& labels,
                std::int64_t value) {
  double shown = static_cast<double>(value);
  if (const std::size_t unit = name.find(kNanoseconds); unit != std::string::npos) {
    name.replace(unit, kNanoseconds.size(), "_seconds");
    shown *= kPerNanosecond;
  }
  const Kind kind = name.ends_with("_total") ? Kind::kCounter : Kind::kGauge;
  exposition.add(std::string(kPrefix) + name, help, kind, labels, shown);
}

}  // namespace

void addRegistry(Exposition& exposition, const CounterRegistry& registry,
                 std::span<const Relabelled> relabelled) {
  for (const CounterValue& counter : registry.snapshot()) {
    const auto other = std::ranges::find(relabelled, counter.family, &Relabelled::counter);
    if (other == relabelled.end()) {
      addCounter(exposition, counter.family, counter.help, counter.labels, counter.value);
    } else {
      addCounter(exposition, std::string(other->family), std::string(other->help),
                 {{std::string(other->label), std::string(other->value)}}, counter.value);
    }
  }
  for (const HistogramValue& histogram : registry.histograms()) {
    exposition.family(std::string(kPrefix) + histogram.family, histogram.help, Kind::kHistogram)
        .add(histogram.labels, histogram.counts);
  }
}

}  // namespace shift::metrics
