#pragma once

#include <string>

#include "common/HostPort.h"

namespace shift {
class ConfigSchema;
}

namespace shift::gms {

struct GmsConfig {
  HostPort listen{"127.0.0.1", 7500};
  std::string database = "shift-gms.sqlite";
};

void describe(GmsConfig& config, ConfigSchema& schema);

}  // namespace shift::gms
