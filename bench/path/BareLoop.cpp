#include "bench/path/BareLoop.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <utility>

#include "bench/path/Stream.h"
#include "common/ByteSize.h"
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

/** Reads past the page cache into memory in large pages, which the device fills with the fewest pieces. */
class DiskSource {
 public:
  explicit DiskSource(const Dataset& dataset)
      : dataset_(dataset),
        file_(::open((dataset.directory() + "/" + std::string(Dataset::kFileName)).c_str(),
                     O_RDONLY | O_DIRECT | O_CLOEXEC)),
        buffer_(static_cast<std::byte*>(std::aligned_alloc(kLargePage, kLargePage))) {
    if (!file_.valid() || buffer_ == nullptr || dataset.itemBytes() > kLargePage) {
      throw std::runtime_error("the bare loop cannot read the data set past the page cache");
    }
    ::madvise(buffer_.get(), kLargePage, MADV_HUGEPAGE);
  }

  std::span<const std::byte> read(const BareRequest& request) {
    const auto offset = static_cast<off_t>(dataset_.offsetOf(request.item));
    if (::pread(file_.get(), buffer_.get(), request.length, offset) != static_cast<ssize_t>(request.length)) {
      throw std::runtime_error("a read of the data set came short");
    }
    return {buffer_.get(), request.length};
  }

 private:
  static constexpr std::size_t kLargePage = 2 * kMiB;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  const Dataset& dataset_;
  const FileDescriptor file_;
  const std::unique_ptr<std::byte, Free> buffer_;
};

}  // namespace

std::unique_ptr<BareLoop> BareLoop::ofOneItem(const Dataset& dataset) {
  return std::make_unique<BareLoop>("bare loop", [&dataset] {
    return [&dataset](const BareRequest& request) { return dataset.item(0).first(request.length); };
  });
}

std::unique_ptr<BareLoop> BareLoop::ofAll(const Dataset& dataset) {
  return std::make_unique<BareLoop>("bare loop, whole set", [&dataset] {
    return
        [&dataset](const BareRequest& request) { return dataset.item(request.item).first(request.length); };
  });
}

std::unique_ptr<BareLoop> BareLoop::fromDisk(const Dataset& dataset) {
  return std::make_unique<BareLoop>("bare loop from flash", [&dataset] {
    auto source = std::make_shared<DiskSource>(dataset);  // a function must be copyable
    return [source](const BareRequest& request) { return source->read(request); };
  });
}

BareLoop::BareLoop(std::string name, std::function<BareSource()> makeSource)
    : name_(std::move(name)), makeSource_(std::move(makeSource)) {
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
    const BareSource source = makeSource_();
    BareRequest request;
    while (stream.receiveAll(std::as_writable_bytes(std::span(&request, 1)))) {
      stream.send(source(request));
    }
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "bare loop: %s\n", fault.what());  // its client says why the benchmark ends
  }
}

}  // namespace shift::bench
