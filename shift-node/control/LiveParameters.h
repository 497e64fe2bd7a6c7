#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/ConfigSchema.h"
#include "control-plane/ControlPlane.h"
#include "shift-node/NodeConfig.h"
#include "shift-node/control/ControlLoop.h"

namespace shift::node {

/**
 * The control plane's parameters, read and changed while the node runs, by the names and with the limits that
 * they have in its configuration. Thread-safe.
 */
class LiveParameters {
 public:
  LiveParameters(const NodeConfig& config, control::ControlPlane& plane, ControlLoop& loop,
                 const Clock& clock);

  /** Those that set() takes, with what is in force now. */
  std::vector<ConfigSchema::Setting> settings() const;

  /** Returns what is wrong; then nothing was changed. */
  std::vector<std::string> set(const std::map<std::string, std::string>& values);

 private:
  NodeConfig present() const;

  const NodeConfig config_;  // as the node was started
  control::ControlPlane& plane_;
  ControlLoop& loop_;
  const Clock& clock_;
  std::mutex mutex_;  // one change at a time: each builds on what is in force
};

}  // namespace shift::node
