#include "rpc/ThriftChannel.h"

#include <fmt/format.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TSocket.h>

#include "rpc/LibraryOutput.h"

namespace shift::rpc {

std::shared_ptr<apache::thrift::protocol::TProtocol> connect(const HostPort& address, Duration timeout) {
  silenceLibrary();
  const auto milliseconds =
      static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count());
  auto socket = std::make_shared<apache::thrift::transport::TSocket>(address.host, address.port);
  socket->setConnTimeout(milliseconds);
  socket->setSendTimeout(milliseconds);
  socket->setRecvTimeout(milliseconds);
  auto transport = std::make_shared<apache::thrift::transport::TBufferedTransport>(socket);
  transport->open();
  return std::make_shared<apache::thrift::protocol::TBinaryProtocol>(transport);
}

Error unreachable(std::string_view service, const HostPort& address, const std::exception& fault) {
  return {ErrorCode::kUnavailable, fmt::format("{} at {}: {}", service, toString(address), fault.what())};
}

}  // namespace shift::rpc
