#include "control-plane/Parameters.h"

#include <cmath>
#include <regex>
#include <sstream>

#include "common/Duration.h"
#include "control-plane/PriorityPolicy.h"

namespace shift::control {

namespace {

class Faults {
 public:
  void real(std::string_view name, double value, double min, double max) {
    // Written so that NaN fails too.
    if (!(value >= min && value <= max)) {
      std::ostringstream text;
      text << name << " is " << value << "; it must be from " << min << " to " << max;
      faults_.push_back(text.str());
    }
  }
  void duration(std::string_view name, Duration value, Duration min, Duration max) {
    if (value < min || value > max) {
      faults_.push_back(std::string(name) + " is " + formatDuration(value) + "; it must be from " +
                        formatDuration(min) + " to " + formatDuration(max));
    }
  }
  void add(std::string fault) { faults_.push_back(std::move(fault)); }
  std::vector<std::string> take() { return std::move(faults_); }

 private:
  std::vector<std::string> faults_;
};

void checkMapping(const Parameters& parameters, Faults& faults) {
  if (parameters.mapping == Mapping::kTable) {
    try {
      if (std::regex(parameters.tablePattern).mark_count() == 0) {
        faults.add("tablePattern has no group; the first group names the table");
      }
    } catch (const std::regex_error& error) {
      faults.add("tablePattern is not a regular expression: " + std::string(error.what()));
    }
  }
  if (parameters.mapping == Mapping::kRange && parameters.rangeBytes < 64 * kKiB) {
    faults.add("rangeBytes must be at least 64KiB");
  }
}

}  // namespace

std::string_view toString(Mapping mapping) {
  switch (mapping) {
    case Mapping::kDirectory:
      return "directory";
    case Mapping::kFile:
      return "file";
    case Mapping::kTable:
      return "table";
    case Mapping::kRange:
      return "range";
  }
  return "unknown";
}

std::optional<Mapping> mappingNamed(std::string_view name) {
  for (const Mapping mapping : {Mapping::kDirectory, Mapping::kFile, Mapping::kTable, Mapping::kRange}) {
    if (toString(mapping) == name) {
      return mapping;
    }
  }
  return std::nullopt;
}

std::vector<std::string> faultsOf(const Parameters& parameters) {
  using namespace std::chrono_literals;
  Faults faults;
  if (findPolicy(parameters.policy) == nullptr) {
    faults.add("policy is \"" + parameters.policy + "\"; known are " + policyNames());
  }
  checkMapping(parameters, faults);
  faults.real("minAdmitThreshold", parameters.minAdmitThreshold, 0, 1000);
  faults.real("maxAdmitThreshold", parameters.maxAdmitThreshold, 1, 1e6);
  if (parameters.minAdmitThreshold > parameters.maxAdmitThreshold) {
    faults.add("minAdmitThreshold is above maxAdmitThreshold");
  }
  faults.real("reinsertOffset", parameters.reinsertOffset, 0, 1000);
  faults.duration("bucketRefreshTime", parameters.bucketRefreshTime, 100ms, 1h);
  faults.duration("historyWindow", parameters.historyWindow, 1min, 24h * 14);
  faults.real("historySteps", parameters.historySteps, 2, 6);
  faults.real("maxBuckets", parameters.maxBuckets, 64, 1 << 24);
  faults.real("proportionalGain", parameters.proportionalGain, 0, 1000);
  faults.real("integralGain", parameters.integralGain, 0, 1000);
  faults.real("derivativeGain", parameters.derivativeGain, 0, 1000);
  return faults.take();
}

}  // namespace shift::control
