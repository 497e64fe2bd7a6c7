#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/Clock.h"
#include "common/FileDescriptor.h"
#include "net/EventLoop.h"
#include "read-protocol/Frame.h"
#include "shift-node/DataPlane.h"
#include "shift-node/server/InFlightBytes.h"
#include "shift-node/server/Output.h"
#include "shift-node/server/ServerCounters.h"

namespace shift::node {

/** What the connections of a server share. */
struct ConnectionContext {
  DataPlane& dataPlane;
  InFlightBytes& inFlight;
  InFlightBytes& lendable;
  const Clock& clock;
  ServerCounters& counters;
  std::uint32_t segmentSize = 0;
  Duration defaultDeadline{};
};

/**
 * One client. Reads requests as they come, several may be under way at once, and sends answers as they are
 * ready. Bounded: past a number of requests or of unsent bytes it stops reading until the client has taken
 * some. A malformed frame ends the connection. Lives on one event loop, whose server owns it.
 *
 * To a client that says what it has taken, long answers are lent: sent from the cached segments' own pages,
 * without a copy. Such segments are held until the client has taken them or its end is closed. So a
 * connection that is over for the node may have to wait, silent, for the client: it is then called lingering.
 */
class Connection final : public net::EventHandler, public std::enable_shared_from_this<Connection> {
 public:
  /** Told when the connection is over or begins to linger, and when that ends. */
  using Closed = std::function<void(const std::shared_ptr<Connection>&)>;

  /** `pages` belongs to the loop; null: everything is copied. */
  Connection(FileDescriptor socket, std::shared_ptr<net::EventLoop> loop, const ConnectionContext& context,
             net::PageSender* pages, Closed closed);
  ~Connection() override;

  // On the loop's thread:
  void start();
  void onEvents(std::uint32_t events) override;
  /** Takes no more requests; closes when those under way have been answered. */
  void drain();
  /** Closes now, whatever is under way. What is lent then stays in memory for good: only for the end. */
  void close();
  bool isLingering() const { return isLingering_; }

 private:
  /** An answer on its way to the output. */
  struct Ready {
    std::int64_t requestId = 0;
    GetAnswer answer;
    InFlightBytes::Reservation reservation;
  };
  /** The answers of a batch that are ready before their turn. */
  struct Turns {
    explicit Turns(std::size_t count) : waiting(count) {}
    std::vector<std::optional<Ready>> waiting;
    std::size_t next = 0;
  };
  /** A place in a batch that is answered in order; none: answered as it comes. */
  struct Turn {
    std::shared_ptr<Turns> turns;
    std::size_t place = 0;
  };

  void readRequests();
  void handleFrames();
  /** The error ends the connection. */
  Status handle(protocol::FrameKind kind, std::span<const std::byte> header);
  void handleGet(const wire::GetRequest& request, const Turn& turn);
  void handleGetBatch(const wire::BatchRequest& batch);
  void handleGetChecksum(const wire::GetRequest& request);
  void handleRanges(protocol::FrameKind kind, const wire::BatchRequest& batch);
  /** What to do with an answer, from whatever thread it comes: take it to the loop, and there, in its turn,
   * into the output. */
  GetDone answerLater(std::int64_t requestId, InFlightBytes::Reservation reservation, const Turn& turn);
  GetFilling sayFilling(std::int64_t requestId);
  void answerInTurn(Ready ready, const Turn& turn);
  void answer(Ready ready);
  void put(OutgoingFrame frame);
  void send();
  /** What a request says was taken. */
  template <typename Request>
  Status heedTaken(const Request& request) {
    return request.__isset.taken ? output_.took(request.taken) : Status();
  }
  /** The node wants no more of it. */
  void hangUp();
  /** The client's end is closed: nobody reads what was lent. */
  void clientIsGone();
  void watch();
  bool saturated() const;

  FileDescriptor socket_;
  const std::shared_ptr<net::EventLoop> loop_;
  const ConnectionContext& context_;
  const Closed closed_;
  std::vector<std::byte> input_;
  std::size_t inputSize_ = 0;
  Output output_;
  std::size_t underWay_ = 0;  // requests without an answer in the output
  std::uint32_t watched_ = 0;
  bool draining_ = false;
  bool open_ = false;
  bool isLingering_ = false;
};

}  // namespace shift::node
