#pragma once

#include <string>

#include "common/Clock.h"
#include "common/FileDescriptor.h"
#include "common/HostPort.h"
#include "common/Result.h"

namespace shift::net {

/** A non-blocking listening TCP socket. The error names the address and what stands in the way. */
Result<FileDescriptor> listenOn(const HostPort& address);

/** Where a socket is bound: with the real port, if 0 was asked for. */
Result<HostPort> localAddress(const FileDescriptor& socket);

/** A connected, non-blocking TCP socket without Nagle's delay, or why there is none by the deadline. */
Result<FileDescriptor> connectTo(const HostPort& address, const Clock& clock, TimePoint deadline);

/** Waits until the socket can be read (`forReading`) or written, or has failed; false when the deadline comes
 * first. */
bool waitUntilReady(const FileDescriptor& socket, bool forReading, const Clock& clock, TimePoint deadline);

/** From now on the socket counts as readable only with so many bytes to read, or when the peer has closed it.
 * False: the kernel does not do it. */
bool wakeAfter(const FileDescriptor& socket, std::size_t bytes);

/** How the socket, and what a listening one accepts from now on, shares the network with others: "cubic",
 * "bbr" or what else the kernel has. The error names it and what stands in the way. */
Status useCongestionControl(const FileDescriptor& socket, const std::string& algorithm);

/** Sends small frames at once instead of waiting for more. */
void disableNagle(const FileDescriptor& socket);

}  // namespace shift::net
