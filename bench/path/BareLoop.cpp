#include "bench/path/BareLoop.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "bench/path/Stream.h"
#include "net/Socket.h"

namespace shift::bench {
namespace {

class BareSession final : public Session {
 public:
  explicit BareSession(const HostPort& address) : stream_(address) {}

  void read(std::size_t item, std::span<std::byte> into) override {
    const BareRequest request{item, into.size()};
    stream_.send(std::as_bytes(std::span(&request, 1)));
    if (!stream_.receiveAll(into)) {
      throw std::runtime_error("the bare loop closed the connection");
    }
  }

 private:
  Stream stream_;
};

}  // namespace

BareLoop::BareLoop(const Dataset& dataset, std::size_t hot) : dataset_(dataset), hot_(hot) {
  auto listener = net::listenOn({"127.0.0.1", 0});
  const auto address = listener ? net::localAddress(*listener) : listener.error();
  if (!address) {
    throw std::runtime_error(address.error().message);
  }
  listener_ = *std::move(listener);
  address_ = *address;
  ::fcntl(listener_.get(), F_SETFL, 0);  // accept() waits
  acceptor_ = std::thread([this] { accept(); });
}

BareLoop::~BareLoop() {
  ::shutdown(listener_.get(), SHUT_RDWR);  // wakes accept()
  acceptor_.join();
  for (std::thread& server : servers_) {
    server.join();
  }
}

std::string BareLoop::name() const {
  return hot_ == 1 ? "bare loop" : "bare loop, whole set";
}

std::unique_ptr<Session> BareLoop::connect() {
  return std::make_unique<BareSession>(address_);
}

void BareLoop::accept() {
  for (;;) {
    FileDescriptor client(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.valid()) {
      return;
    }
    servers_.emplace_back(
        [this, handed = std::make_shared<FileDescriptor>(std::move(client))] { serve(std::move(*handed)); });
  }
}

void BareLoop::serve(FileDescriptor socket) const {
  try {
    Stream stream(std::move(socket));
    BareRequest request;
    while (stream.receiveAll(std::as_writable_bytes(std::span(&request, 1)))) {
      stream.send(dataset_.item(request.item % hot_).first(request.length));
    }
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "bare loop: %s\n", fault.what());  // its client says why the benchmark ends
  }
}

}  // namespace shift::bench
