#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "common/Clock.h"
#include "common/FileDescriptor.h"
#include "common/HostPort.h"

namespace shift::bench {

/**
 * A connected TCP socket that waits in the kernel: the cheapest way to send and receive for a thread that has
 * nothing else to do. Throws std::runtime_error when the other side is gone.
 */
class Stream {
 public:
  explicit Stream(const HostPort& address);
  /** Takes a socket that was accepted. */
  explicit Stream(FileDescriptor socket);

  void send(std::span<const std::byte> bytes);
  void send(std::string_view text) { send(std::as_bytes(std::span(text))); }
  /** At least one byte, at most as many as fit; the number that came. */
  std::size_t receiveSome(std::span<std::byte> into);
  /** Fills both, one after the other, in as few system calls as the kernel permits. False: the other side
   * closed before the first byte. */
  bool receiveAll(std::span<std::byte> into, std::span<std::byte> then = {});

 private:
  FileDescriptor socket_;
};

}  // namespace shift::bench
