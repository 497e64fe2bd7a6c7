#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/Result.h"

namespace shift {

/** A place to listen on or connect to: "127.0.0.1:7000", "node-3:7000", "[::1]:7000". */
struct HostPort {
  std::string host;
  std::uint16_t port = 0;  // 0: any free port, where that makes sense

  bool operator==(const HostPort&) const = default;
};

Result<HostPort> parseHostPort(std::string_view text);
std::string toString(const HostPort& address);

}  // namespace shift
