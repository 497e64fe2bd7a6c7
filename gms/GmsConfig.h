#pragma once

#include <cstdint>
#include <string>

#include "common/Clock.h"
#include "common/HostPort.h"

namespace shift {
class ConfigSchema;
}

namespace shift::gms {

/** Everything an operator can set on a GMS. The meaning of each field is in describe(), and in
 * --print-config. */
struct GmsConfig {
  HostPort listen{"127.0.0.1", 7500};
  HostPort httpListen{"127.0.0.1", 7501};
  std::uint32_t httpThreads = 16;
  std::string database = "shift-gms.sqlite";
  std::string storeName = "default";
  std::string storeRoot;
  Duration silentTtl = std::chrono::hours(1);
  Duration queuedTtl = std::chrono::hours(24);
  Duration keepEnded = std::chrono::hours(24 * 30);
  Duration expandEvery = std::chrono::minutes(1);
};

void describe(GmsConfig& config, ConfigSchema& schema);

/** The whole configuration as a TOML file that may be shown to anybody: passwords are masked. */
std::string printedForAll(GmsConfig config);

}  // namespace shift::gms
