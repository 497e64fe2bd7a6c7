#include "common/HostPort.h"

#include <fmt/format.h>

#include <charconv>

namespace shift {

Result<HostPort> parseHostPort(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("\"{}\" is not an address: {}; write host:port, such as 127.0.0.1:7000", text, why)};
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return refuse("the port is missing");
  }
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return refuse("an IPv6 host must stand in brackets");
  }
  if (host.empty()) {
    return refuse("the host is missing");
  }
  HostPort address{std::string(host), 0};
  const auto [end, fault] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (fault != std::errc() || end != port.data() + port.size()) {
    return refuse("the port is not a number from 0 to 65535");
  }
  return address;
}

std::string toString(const HostPort& address) {
  const bool bracketed = address.host.find(':') != std::string::npos;
  return fmt::format(fmt::runtime(bracketed ? "[{}]:{}" : "{}:{}"), address.host, address.port);
}

}  // namespace shift
