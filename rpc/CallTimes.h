#pragma once

#include <memory>
#include <string>

#include "common/Clock.h"
#include "common/Counters.h"

namespace apache::thrift {
class TProcessor;
}

namespace shift::rpc {

/**
 * Has a service record how long each of its calls takes, from the last byte of the arguments to the first of
 * the answer: one histogram `name` in the registry for each method that was called. `clock` and `counters`
 * outlive the processor.
 */
void recordCallTimes(apache::thrift::TProcessor& processor, const std::string& name, const Clock& clock,
                     CounterRegistry& counters);

}  // namespace shift::rpc
