#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gms/spec/TextRules.h"
#include "thrift/gms_types.h"

namespace shift::gms {

/** What a reader reports of its own job, in JSON. Types are checked here, sense by faultsOf(). */
wire::Report reportFromJson(const nlohmann::json& object, Faults& faults);

}  // namespace shift::gms
