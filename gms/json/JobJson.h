#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "common/Result.h"
#include "gms/json/JsonFields.h"
#include "gms/spec/TextRules.h"
#include "thrift/gms_types.h"

namespace shift::gms {

/** "queued", "running" … */
std::span<const NamedChoice> jobStates();
std::span<const NamedChoice> jobClasses();

nlohmann::json toJson(const wire::Job& job);

/** The job that a JSON object describes. Types are checked here, sense by faultsOf(). */
wire::Job jobFromJson(const nlohmann::json& object, Faults& faults);
wire::JobPatch patchFromJson(const nlohmann::json& object, Faults& faults);

/** A spec as people write it in a file: parsed and checked, with every fault, one a line. */
Result<wire::Job> readJobSpec(std::string_view text);

}  // namespace shift::gms
