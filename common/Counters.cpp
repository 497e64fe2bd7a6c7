#include "common/Counters.h"

namespace shift {
namespace {

std::string withLabels(std::string name, const Labels& labels) {
  for (const auto& [label, value] : labels) {
    name += (&label == &labels.front().first ? "{" : ",") + label + "=\"" + value + "\"";
  }
  return labels.empty() ? name : name + "}";
}

}  // namespace

template <typename Kind>
Kind& CounterRegistry::find(All<Kind>& all, std::string_view name, std::string_view help,
                            const Labels& labels) {
  std::lock_guard lock(mutex_);
  for (Named<Kind>& named : all) {
    if (named.name == name && named.labels == labels) {
      return named.kind;
    }
  }
  Named<Kind>& added = all.emplace_back();
  added.name = name;
  added.help = help;
  added.labels = labels;
  return added.kind;
}

Counter& CounterRegistry::counter(std::string_view name, std::string_view help, const Labels& labels) {
  return find(counters_, name, help, labels);
}

LatencyHistogram& CounterRegistry::histogram(std::string_view name, std::string_view help,
                                             const Labels& labels) {
  return find(histograms_, name, help, labels);
}

std::vector<CounterValue> CounterRegistry::snapshot() const {
  std::lock_guard lock(mutex_);
  std::vector<CounterValue> values;
  values.reserve(counters_.size());
  for (const Named<Counter>& named : counters_) {
    values.push_back({.name = withLabels(named.name, named.labels),
                      .help = named.help,
                      .value = named.kind.value(),
                      .family = named.name,
                      .labels = named.labels});
  }
  return values;
}

std::vector<HistogramValue> CounterRegistry::histograms() const {
  std::lock_guard lock(mutex_);
  std::vector<HistogramValue> values;
  values.reserve(histograms_.size());
  for (const Named<LatencyHistogram>& named : histograms_) {
    values.push_back(
        {.family = named.name, .help = named.help, .labels = named.labels, .counts = named.kind.counts()});
  }
  return values;
}

}  // namespace shift
