#include "common/Counters.h"

namespace shift {

Counter& CounterRegistry::counter(std::string_view name, std::string_view help) {
  std::lock_guard lock(mutex_);
  for (Named& named : counters_) {
    if (named.name == name) {
      return named.counter;
    }
  }
  Named& added = counters_.emplace_back();
  added.name = name;
  added.help = help;
  return added.counter;
}

std::vector<CounterValue> CounterRegistry::snapshot() const {
  std::lock_guard lock(mutex_);
  std::vector<CounterValue> values;
  values.reserve(counters_.size());
  for (const Named& named : counters_) {
    values.push_back({named.name, named.help, named.counter.value()});
  }
  return values;
}

}  // namespace shift
