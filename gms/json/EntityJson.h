#pragma once

#include <nlohmann/json_fwd.hpp>

#include <span>

#include "gms/json/JsonFields.h"
#include "gms/spec/TextRules.h"
#include "thrift/gms_types.h"

namespace shift::gms {

std::span<const NamedChoice> memberStates();

nlohmann::json toJson(const wire::Table& table);
nlohmann::json toJson(const wire::EligibilityRule& rule);
nlohmann::json toJson(const wire::RingMember& member);
nlohmann::json toJson(const wire::Parameter& parameter);
nlohmann::json toJson(const wire::AuditEntry& entry);

// What a JSON object describes. Types are checked here, sense by faultsOf().
wire::Table tableFromJson(const nlohmann::json& object, Faults& faults);
wire::EligibilityRule ruleFromJson(const nlohmann::json& object, Faults& faults);
wire::RingMember memberFromJson(const nlohmann::json& object, Faults& faults);
wire::Parameter parameterFromJson(const nlohmann::json& object, Faults& faults);

}  // namespace shift::gms
