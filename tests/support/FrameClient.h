#pragma once

#include <span>
#include <string>
#include <string_view>

#include "common/Clock.h"
#include "common/FileDescriptor.h"
#include "common/HostPort.h"
#include "read-protocol/Frame.h"

namespace shift::test {

/** The other end of a node's socket, spoken to frame by frame. */
class FrameClient {
 public:
  struct Frame {
    protocol::Prefix prefix;
    std::string header;
    std::string body;
    wire::ReadAnswer answer() const { return *protocol::decodeAnswer(std::as_bytes(std::span(header))); }
    wire::BatchAnswer batch() const { return *protocol::decodeBatchAnswer(std::as_bytes(std::span(header))); }
  };

  explicit FrameClient(const HostPort& node);

  void send(std::string_view frame);
  /** Exactly that many bytes; nothing if the node has closed the connection. */
  std::string receive(std::size_t size);
  Frame next();
  /** Returns when so many bytes have arrived, without receiving any. */
  void waitFor(std::size_t bytes);

 private:
  SystemClock clock_;
  FileDescriptor socket_;
};

}  // namespace shift::test
