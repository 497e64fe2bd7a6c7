#pragma once

#include "gms/spec/TextRules.h"
#include "thrift/gms_types.h"

namespace shift::gms {

// Everything that is wrong with what is to be stored; empty = it can be.
Faults faultsOf(const wire::Table& table);
Faults faultsOf(const wire::EligibilityRule& rule);
Faults faultsOf(const wire::RingMember& member);
Faults faultsOf(const wire::Parameter& parameter);
Faults faultsOf(const wire::Report& report);

}  // namespace shift::gms
