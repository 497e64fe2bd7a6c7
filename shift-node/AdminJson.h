#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "shift-node/AdminSums.h"
#include "thrift/admin_types.h"

namespace shift::node {

// What a node's admin service told, as JSON: the same names in shiftctl's answers and the dashboard's.

nlohmann::json toJson(const wire::Activity& activity);
nlohmann::json toJson(const wire::Traffic& traffic);
nlohmann::json toJson(const wire::BucketView& bucket);
nlohmann::json toJson(const wire::NodeStatus& status);
nlohmann::json toJson(const wire::BlockPlace& place);
nlohmann::json toJson(const wire::Explanation& explanation);
/** An object with an entry for each arm. */
nlohmann::json toJson(const std::map<std::string, ArmSum>& arms);

}  // namespace shift::node
