#include "shift-node/server/ReadServer.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <future>
#include <optional>
#include <unordered_set>
#include <utility>

#include "common/Log.h"
#include "net/Socket.h"

namespace shift::node {

/** One event loop and its connections, which only the loop's thread touches. */
class ReadServer::Shard : public std::enable_shared_from_this<Shard> {
 public:
  Shard(const ConnectionContext& context, bool lends) : context_(context) {
    if (!lends) {
      return;
    }
    Result<net::PageSender> pages = net::PageSender::open();
    if (pages) {
      pages_ = *std::move(pages);
    } else {
      logWarning("answers are copied, not lent: " + pages.error().message);
    }
  }

  net::EventLoop& loop() { return *loop_; }

  void adopt(FileDescriptor socket) {
    // A task must be copyable, and a descriptor is not.
    auto handed = std::make_shared<FileDescriptor>(std::move(socket));
    loop_->post([self = shared_from_this(), handed] {
      if (self->draining_) {
        return;
      }
      const auto connection = std::make_shared<Connection>(
          std::move(*handed), self->loop_, self->context_, self->pages_ ? &*self->pages_ : nullptr,
          [shard = self.get()](const std::shared_ptr<Connection>& closed) { shard->forget(closed); });
      self->connections_.insert(connection);
      connection->start();
    });
  }

  /** Takes no more requests; the future is set when the last connection is gone. */
  std::future<void> drain() {
    std::future<void> done = drained_.get_future();
    loop_->post([this] {
      draining_ = true;
      const auto connections = connections_;
      for (const std::shared_ptr<Connection>& connection : connections) {
        connection->drain();
      }
      tellIfDrained();
    });
    return done;
  }

  void stop() {
    loop_->post([this] {
      const auto connections = connections_;
      for (const std::shared_ptr<Connection>& connection : connections) {
        connection->close();
      }
      lingering_.clear();
    });
    loop_->stop();
  }

 private:
  void forget(const std::shared_ptr<Connection>& connection) {
    connections_.erase(connection);
    lingering_.erase(connection);
    if (connection->isLingering()) {
      lingering_.insert(connection);
    }
    tellIfDrained();
  }

  void tellIfDrained() {
    if (draining_ && connections_.empty() && !told_) {
      told_ = true;
      drained_.set_value();
    }
  }

  const ConnectionContext& context_;
  const std::shared_ptr<net::EventLoop> loop_ = std::make_shared<net::EventLoop>();
  std::optional<net::PageSender> pages_;
  std::unordered_set<std::shared_ptr<Connection>> connections_;
  std::unordered_set<std::shared_ptr<Connection>>
      lingering_;  // over, but for what their clients have to take
  std::promise<void> drained_;
  bool draining_ = false;
  bool told_ = false;
};

/** Takes new connections and deals them out to the shards in turn. Lives on the first shard's loop. */
class ReadServer::Acceptor final : public net::EventHandler {
 public:
  Acceptor(FileDescriptor socket, ReadServer& server)
      : socket_(std::move(socket)), server_(server), spare_(::open("/dev/null", O_RDONLY | O_CLOEXEC)) {}

  void start() { loop().add(socket_.get(), EPOLLIN, *this); }

  void stop() {
    loop().remove(socket_.get());
    socket_ = FileDescriptor();
  }

  void onEvents(std::uint32_t) override {
    for (;;) {
      FileDescriptor client(::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (!client.valid()) {
        if (errno == EMFILE || errno == ENFILE) {
          turnAway();
          continue;
        }
        return;
      }
      if (server_.counters_.open.value() >= std::int64_t{server_.config_.maxConnections}) {
        server_.counters_.refused.add();
        continue;
      }
      net::disableNagle(client);
      server_.counters_.accepted.add();
      server_.shards_[next_++ % server_.shards_.size()]->adopt(std::move(client));
    }
  }

 private:
  net::EventLoop& loop() { return server_.shards_.front()->loop(); }

  /** Out of descriptors: with the spare one, take a client and close it, or it would wait and wake us for
   * ever. */
  void turnAway() {
    server_.counters_.refused.add();
    spare_ = FileDescriptor();
    const FileDescriptor client(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    spare_ = FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  }

  FileDescriptor socket_;
  ReadServer& server_;
  FileDescriptor spare_;
  std::size_t next_ = 0;
};

Result<std::unique_ptr<ReadServer>> ReadServer::start(const ReadServerConfig& config, DataPlane& dataPlane,
                                                      const Clock& clock, CounterRegistry& counters) {
  Result<FileDescriptor> socket = net::listenOn(config.listen);
  if (!socket) {
    return socket.error();
  }
  const Result<HostPort> address = net::localAddress(*socket);
  if (!address) {
    return address.error();
  }
  if (!config.congestionControl.empty()) {
    if (const Status chosen = net::useCongestionControl(*socket, config.congestionControl); !chosen) {
      return chosen.error();
    }
  }
  std::unique_ptr<ReadServer> server(new ReadServer(config, dataPlane, clock, counters));
  server->address_ = *address;
  server->listen(*std::move(socket));
  return server;
}

ReadServer::ReadServer(const ReadServerConfig& config, DataPlane& dataPlane, const Clock& clock,
                       CounterRegistry& counters)
    : config_(config),
      counters_(counters),
      inFlight_(config.maxInFlightBytes),
      lent_(config.maxLentBytes),
      context_{.dataPlane = dataPlane,
               .inFlight = inFlight_,
               .lendable = lent_,
               .clock = clock,
               .counters = counters_,
               .segmentSize = config.segmentSize,
               .defaultDeadline = config.defaultDeadline} {
  for (std::uint32_t i = 0; i < config_.threads; ++i) {
    shards_.push_back(std::make_shared<Shard>(context_, config_.maxLentBytes > 0));
  }
}

void ReadServer::listen(FileDescriptor socket) {
  acceptor_ = std::make_unique<Acceptor>(std::move(socket), *this);
  shards_.front()->loop().post([this] { acceptor_->start(); });
}

void ReadServer::drain() {
  if (std::exchange(isDrained_, true)) {
    return;
  }
  shards_.front()->loop().post([this] { acceptor_->stop(); });
  std::vector<std::future<void>> drained;
  for (const std::shared_ptr<Shard>& shard : shards_) {
    drained.push_back(shard->drain());
  }
  const TimePoint until = context_.clock.now() + config_.drainTimeout;
  for (const std::future<void>& one : drained) {
    one.wait_for(until - context_.clock.now());
  }
}

ReadServer::~ReadServer() {
  drain();
  for (const std::shared_ptr<Shard>& shard : shards_) {
    shard->stop();
  }
}

}  // namespace shift::node
