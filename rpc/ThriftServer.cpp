#include "rpc/ThriftServer.h"

#include <fmt/format.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/server/TThreadedServer.h>
#include <thrift/transport/TBufferTransports.h>
#include <thrift/transport/TServerSocket.h>

#include <future>
#include <thread>

#include "rpc/LibraryOutput.h"

namespace shift::rpc {
namespace {

using apache::thrift::protocol::TBinaryProtocolFactory;
using apache::thrift::server::TServerEventHandler;
using apache::thrift::server::TThreadedServer;
using apache::thrift::transport::TBufferedTransportFactory;
using apache::thrift::transport::TServerSocket;
using apache::thrift::transport::TTransportException;

// What a hostile or broken caller can make the server allocate at most.
constexpr std::int32_t kMaxStringSize = 16 * 1024 * 1024;
constexpr std::int32_t kMaxContainerSize = 1'000'000;

/** Tells start() that the server listens. */
class ListeningSignal final : public TServerEventHandler {
 public:
  void preServe() override { listening_.set_value(); }
  std::promise<void>& promise() { return listening_; }

 private:
  std::promise<void> listening_;
};

}  // namespace

struct ThriftServer::Running {
  HostPort address;
  std::shared_ptr<TThreadedServer> server;
  std::thread thread;
};

Result<std::unique_ptr<ThriftServer>> ThriftServer::start(
    const HostPort& listen, const std::shared_ptr<apache::thrift::TProcessor>& processor) {
  silenceLibrary();
  auto socket = std::make_shared<TServerSocket>(listen.host, listen.port);
  auto signal = std::make_shared<ListeningSignal>();
  auto server = std::make_shared<TThreadedServer>(
      processor, socket, std::make_shared<TBufferedTransportFactory>(),
      std::make_shared<TBinaryProtocolFactory>(kMaxStringSize, kMaxContainerSize, true, true));
  server->setServerEventHandler(signal);

  std::future<void> listening = signal->promise().get_future();
  std::thread thread([server, signal] {
    try {
      server->serve();
    } catch (...) {
      signal->promise().set_exception(std::current_exception());
    }
  });
  try {
    listening.get();
  } catch (const TTransportException& fault) {
    thread.join();
    return Error{ErrorCode::kAlreadyExists,
                 fmt::format("cannot listen on {}: {}", toString(listen), fault.what())};
  }
  auto running = std::make_unique<Running>();
  running->address = {listen.host, static_cast<std::uint16_t>(socket->getPort())};
  running->server = std::move(server);
  running->thread = std::move(thread);
  return std::unique_ptr<ThriftServer>(new ThriftServer(std::move(running)));
}

ThriftServer::ThriftServer(std::unique_ptr<Running> running) : running_(std::move(running)) {}

ThriftServer::~ThriftServer() {
  running_->server->stop();
  running_->thread.join();
}

const HostPort& ThriftServer::address() const {
  return running_->address;
}

std::int64_t ThriftServer::connections() const {
  return running_->server->getConcurrentClientCount();
}

}  // namespace shift::rpc
