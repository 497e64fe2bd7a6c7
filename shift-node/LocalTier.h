#pragma once

#include <memory>
#include <string>

#include "dashboard/Tier.h"
#include "thrift/NodeAdmin.h"

namespace shift::node {

/** A tier of one node, which is asked in its own process. Thread-safe. */
class LocalTier final : public dashboard::Tier {
 public:
  /** `admin` tells what operators are told over the network. */
  LocalTier(std::string id, std::shared_ptr<wire::NodeAdminIf> admin);

  Result<dashboard::TierView> look(bool withJobs) override;

 private:
  const std::string id_;
  const std::shared_ptr<dashboard::NodeVoice> voice_;
};

}  // namespace shift::node
