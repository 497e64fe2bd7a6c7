#include "shift-node/control/LiveParameters.h"

#include <algorithm>

namespace shift::node {
namespace {

bool isLive(const std::string& key) {
  return key.starts_with("policy.") && key != "policy.block_size";
}

std::vector<ConfigSchema::Setting> liveSettings(NodeConfig config) {
  config.policy = resolvedPolicy(config);
  ConfigSchema schema;
  describe(config, schema);
  std::vector<ConfigSchema::Setting> settings = schema.settings();
  std::erase_if(settings, [](const ConfigSchema::Setting& setting) { return !isLive(setting.key); });
  return settings;
}

}  // namespace

LiveParameters::LiveParameters(const NodeConfig& config, control::ControlPlane& plane,
                               std::function<void()> changed, const Clock& clock)
    : config_(config), plane_(plane), changed_(std::move(changed)), clock_(clock), inForce_(config) {}

std::vector<LiveParameters::Setting> LiveParameters::settings() const {
  std::lock_guard lock(mutex_);
  const std::vector<ConfigSchema::Setting> configured = liveSettings(config_);
  std::vector<Setting> settings;
  for (ConfigSchema::Setting& now : liveSettings(inForce_)) {
    const std::string source = live_.contains(now.key) ? "live" : byGms_.contains(now.key) ? "gms" : "config";
    settings.push_back({std::move(now), configured[settings.size()].value, source});
  }
  return settings;
}

std::vector<std::string> LiveParameters::set(const Values& values) {
  std::vector<std::string> faults;
  {
    std::lock_guard lock(mutex_);
    Values live = values;
    live.insert(live_.begin(), live_.end());
    faults = apply(byGms_, std::move(live));
  }
  if (faults.empty()) {
    changed_();
  }
  return faults;
}

std::vector<std::string> LiveParameters::check(const Values& values) const {
  std::lock_guard lock(mutex_);
  Values live = values;
  live.insert(live_.begin(), live_.end());
  return attempt(byGms_, live).faults;
}

std::vector<std::string> LiveParameters::reset(const std::vector<std::string>& names) {
  std::vector<std::string> faults;
  {
    std::lock_guard lock(mutex_);
    Values live = names.empty() ? Values() : live_;
    for (const std::string& name : names) {
      if (live.erase(name) == 0) {
        faults.push_back(name + ": has not been set at this node");
      }
    }
    if (faults.empty()) {
      faults = apply(byGms_, std::move(live));
    }
  }
  if (faults.empty()) {
    changed_();
  }
  return faults;
}

std::vector<std::string> LiveParameters::adopt(const Values& byGms) {
  std::vector<std::string> faults;
  {
    std::lock_guard lock(mutex_);
    faults = apply(byGms, live_);
  }
  if (faults.empty()) {
    changed_();
  }
  return faults;
}

LiveParameters::Values LiveParameters::live() const {
  std::lock_guard lock(mutex_);
  return live_;
}

NodeConfig LiveParameters::inForce() const {
  std::lock_guard lock(mutex_);
  NodeConfig config = inForce_;
  config.policy = resolvedPolicy(config);
  return config;
}

std::string LiveParameters::arm() const {
  std::lock_guard lock(mutex_);
  return inForce_.arm;
}

LiveParameters::Attempt LiveParameters::attempt(const Values& byGms, const Values& live) const {
  Attempt result{config_, {}};
  Values merged = live;
  merged.insert(byGms.begin(), byGms.end());
  std::vector<std::string> overrides;
  for (const auto& [key, value] : merged) {
    if (!isLive(key)) {
      result.faults.push_back(key + ": not one of the settings that can be changed while the node runs");
    }
    overrides.push_back(key + "=" + value);
  }
  if (!result.faults.empty()) {
    return result;
  }
  ConfigSchema schema;
  describe(result.config, schema);
  try {
    schema.load("", overrides);
  } catch (const ConfigError& error) {
    result.faults = error.faults();
  }
  return result;
}

std::vector<std::string> LiveParameters::apply(Values byGms, Values live) {
  Attempt next = attempt(byGms, live);
  if (!next.faults.empty()) {
    return next.faults;
  }
  if (const Status taken = plane_.setParameters(controlParameters(next.config), clock_.now()); !taken) {
    return {taken.error().message};
  }
  inForce_ = std::move(next.config);
  byGms_ = std::move(byGms);
  live_ = std::move(live);
  return {};
}

}  // namespace shift::node
