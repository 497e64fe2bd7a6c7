#include "shift-node/control/LiveParameters.h"

#include <algorithm>

namespace shift::node {
namespace {

bool isLive(const std::string& key) {
  return key.starts_with("policy.") && key != "policy.block_size";
}

}  // namespace

LiveParameters::LiveParameters(const NodeConfig& config, control::ControlPlane& plane, ControlLoop& loop,
                               const Clock& clock)
    : config_(config), plane_(plane), loop_(loop), clock_(clock) {}

std::vector<ConfigSchema::Setting> LiveParameters::settings() const {
  NodeConfig config = present();
  ConfigSchema schema;
  describe(config, schema);
  std::vector<ConfigSchema::Setting> live = schema.settings();
  std::erase_if(live, [](const ConfigSchema::Setting& setting) { return !isLive(setting.key); });
  return live;
}

std::vector<std::string> LiveParameters::set(const std::map<std::string, std::string>& values) {
  std::vector<std::string> faults;
  std::vector<std::string> overrides;
  for (const auto& [key, value] : values) {
    if (!isLive(key)) {
      faults.push_back(key + ": not one of the settings that can be changed while the node runs");
    } else if (key == "policy.name" && value == "admit-all") {
      faults.push_back("policy.name: \"admit-all\" has no control plane; it can only be chosen at start");
    }
    overrides.push_back(key + "=" + value);
  }
  if (!faults.empty()) {
    return faults;
  }
  std::lock_guard lock(mutex_);
  NodeConfig config = present();
  ConfigSchema schema;
  describe(config, schema);
  try {
    schema.load("", overrides);
  } catch (const ConfigError& error) {
    return error.faults();
  }
  if (const Status taken = plane_.setParameters(controlParameters(config), clock_.now()); !taken) {
    return {taken.error().message};
  }
  loop_.repace();
  return {};
}

NodeConfig LiveParameters::present() const {
  return withParameters(config_, plane_.parameters());
}

}  // namespace shift::node
