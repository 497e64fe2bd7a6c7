#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/ConfigSchema.h"
#include "common/Result.h"
#include "control-plane/ControlPlane.h"
#include "shift-node/NodeConfig.h"

namespace shift::node {

/**
 * The control plane's parameters, read and changed while the node runs, by the names and with the limits that
 * they have in its configuration. What is in force comes in layers: the configuration, over it what the GMS
 * says, over that what was set at this node. Thread-safe.
 */
class LiveParameters {
 public:
  using Values = std::map<std::string, std::string>;

  /** `changed` is called after every change, by whichever thread made it; the plane has taken it by then. */
  LiveParameters(const NodeConfig& config, control::ControlPlane& plane, std::function<void()> changed,
                 const Clock& clock);

  struct Setting {
    ConfigSchema::Setting now;
    std::string configured;  // the value that the node was started with
    std::string source;      // of what is in force: "config", "gms" or "live"
  };
  /** Those that can be changed. */
  std::vector<Setting> settings() const;

  // Each returns what is wrong; then nothing was changed.

  /** At this node. */
  std::vector<std::string> set(const Values& values);
  /** What set() would find wrong. */
  std::vector<std::string> check(const Values& values) const;
  /** What was set at this node is so no more; no name: nothing that was. */
  std::vector<std::string> reset(const std::vector<std::string>& names);
  /** All that the GMS says, in place of what it said before. */
  std::vector<std::string> adopt(const Values& byGms);

  /** What was set at this node. */
  Values live() const;
  /** The node's configuration with all layers over it. */
  NodeConfig inForce() const;
  /** The arm of a comparison that this node is in; empty: none. */
  std::string arm() const;

 private:
  struct Attempt {
    NodeConfig config;
    std::vector<std::string> faults;
  };
  /** The configuration as it would be with these layers. */
  Attempt attempt(const Values& byGms, const Values& live) const;
  /** Puts the layers in force; called with the mutex held. */
  std::vector<std::string> apply(Values byGms, Values live);

  const NodeConfig config_;  // as the node was started
  control::ControlPlane& plane_;
  const std::function<void()> changed_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  Values byGms_;
  Values live_;
  NodeConfig inForce_;
};

}  // namespace shift::node
