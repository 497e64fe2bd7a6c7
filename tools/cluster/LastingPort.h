#pragma once

#include "common/HostPort.h"

namespace shift::tools {

/**
 * A port of loopback on which nobody listens, and which stays free while its server is down: it lies below
 * those that the kernel gives to connections, of which one would be in the way when the server starts again.
 * Another at each call. Port 0 where there is no such range.
 */
HostPort lastingPort();

}  // namespace shift::tools
