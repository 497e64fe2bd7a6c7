#include "shift-node/server/Connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "common/Log.h"

namespace shift::node {
namespace {

constexpr std::size_t kMaxRequestsUnderWay = 64;
constexpr std::size_t kMaxUnsentBytes = 16 * kMiB;
constexpr std::size_t kInputSize = protocol::kPrefixSize + protocol::kMaxHeaderSize;
/** Less is copied sooner than it is lent. */
constexpr std::size_t kWorthLending = 64 * kKiB;

}  // namespace

Connection::Connection(FileDescriptor socket, std::shared_ptr<net::EventLoop> loop,
                       const ConnectionContext& context, net::PageSender* pages, Closed closed)
    : socket_(std::move(socket)),
      loop_(std::move(loop)),
      context_(context),
      closed_(std::move(closed)),
      input_(kInputSize),
      output_(pages) {
  context_.counters.open.add();
}

Connection::~Connection() {
  context_.counters.open.add(-1);
}

void Connection::start() {
  open_ = true;
  watched_ = EPOLLIN;
  loop_->add(socket_.get(), watched_, *this);
}

void Connection::onEvents(std::uint32_t events) {
  const auto self = shared_from_this();  // the owner's reference may be dropped
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) {
    return clientIsGone();
  }
  if (open_ && (events & EPOLLOUT) != 0) {
    send();
  }
  if ((open_ || isLingering_) && (events & EPOLLIN) != 0) {
    readRequests();
  }
}

void Connection::drain() {
  draining_ = true;
  if (open_ && underWay_ == 0 && output_.empty()) {
    return hangUp();
  }
  watch();
}

void Connection::close() {
  if (!open_ && !isLingering_) {
    return;
  }
  output_.dropUnsent();
  open_ = false;
  isLingering_ = false;
  loop_->remove(socket_.get());
  closed_(shared_from_this());
}

void Connection::hangUp() {
  output_.dropUnsent();
  if (!output_.hasLent()) {
    return close();
  }
  open_ = false;
  isLingering_ = true;
  ::shutdown(socket_.get(), SHUT_WR);
  inputSize_ = 0;
  watched_ = EPOLLIN;
  loop_->change(socket_.get(), watched_, *this);
  closed_(shared_from_this());
}

void Connection::clientIsGone() {
  output_.clientIsGone();
  close();
}

void Connection::readRequests() {
  const ssize_t got = ::recv(socket_.get(), input_.data() + inputSize_, input_.size() - inputSize_, 0);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
    return clientIsGone();
  }
  if (got > 0 && open_) {  // else it lingers, and what comes is of no interest
    inputSize_ += static_cast<std::size_t>(got);
    handleFrames();
  }
}

void Connection::handleFrames() {
  std::size_t at = 0;
  const auto rest = [&] { return std::span<const std::byte>(input_).subspan(at, inputSize_ - at); };
  const auto malformed = [&](const Error& error) {
    context_.counters.malformed.add();
    logWarning("closing a connection: " + error.message);
    hangUp();
  };
  while (open_ && !draining_ && !saturated() && rest().size() >= protocol::kPrefixSize) {
    const Result<protocol::Prefix> prefix = protocol::decodePrefix(rest());
    if (!prefix) {
      return malformed(prefix.error());
    }
    if (!protocol::isRequest(prefix->kind)) {
      return malformed({ErrorCode::kCorrupt, "malformed frame: a client sent an answer"});
    }
    if (rest().size() < protocol::kPrefixSize + prefix->headerSize) {
      break;
    }
    const Status handled = handle(prefix->kind, rest().subspan(protocol::kPrefixSize, prefix->headerSize));
    if (!handled) {
      return malformed(handled.error());
    }
    at += protocol::kPrefixSize + prefix->headerSize;
  }
  std::memmove(input_.data(), input_.data() + at, inputSize_ - at);
  inputSize_ -= at;
  watch();
}

Status Connection::handle(protocol::FrameKind kind, std::span<const std::byte> header) {
  if (kind == protocol::FrameKind::kGet || kind == protocol::FrameKind::kGetChecksum) {
    const Result<wire::GetRequest> request = protocol::decodeGet(header);
    if (!request) {
      return request.error();
    }
    if (const Status taken = heedTaken(*request); !taken) {
      return taken;
    }
    kind == protocol::FrameKind::kGet ? handleGet(*request, {}) : handleGetChecksum(*request);
    return {};
  }
  if (kind == protocol::FrameKind::kTaken) {
    const Result<wire::Taken> taken = protocol::decodeTaken(header);
    return taken ? output_.took(taken->frames) : taken.error();
  }
  const Result<wire::BatchRequest> batch = protocol::decodeBatch(header);
  if (!batch) {
    return batch.error();
  }
  if (const Status taken = heedTaken(*batch); !taken) {
    return taken;
  }
  kind == protocol::FrameKind::kGetBatch ? handleGetBatch(*batch) : handleRanges(kind, *batch);
  return {};
}

void Connection::handleGet(const wire::GetRequest& request, const Turn& turn) {
  ++underWay_;
  InFlightBytes::Reservation reservation =
      context_.inFlight.reserve(static_cast<std::uint64_t>(std::max<std::int64_t>(request.length, 0)));
  if (!reservation) {
    context_.counters.overloaded.add();
    return answerLater(request.requestId, {},
                       turn)({.status = wire::ReadStatus::BUSY, .reason = "too many bytes in flight"});
  }
  const Duration patience =
      request.__isset.deadlineMs ? std::chrono::milliseconds(request.deadlineMs) : context_.defaultDeadline;
  context_.dataPlane.get(request, context_.clock.now() + patience,
                         answerLater(request.requestId, std::move(reservation), turn),
                         request.wantsFilling ? sayFilling(request.requestId) : GetFilling());
}

void Connection::handleGetBatch(const wire::BatchRequest& batch) {
  const auto turns = batch.inOrder ? std::make_shared<Turns>(batch.gets.size()) : nullptr;
  for (std::size_t i = 0; i < batch.gets.size(); ++i) {
    handleGet(batch.gets[i], {turns, i});
  }
}

void Connection::handleGetChecksum(const wire::GetRequest& request) {
  ++underWay_;
  context_.dataPlane.getChecksum(request, answerLater(request.requestId, {}, {}));
}

void Connection::handleRanges(protocol::FrameKind kind, const wire::BatchRequest& batch) {
  ++underWay_;
  wire::BatchAnswer answer;
  answer.__set_requestId(batch.requestId);
  for (const wire::GetRequest& range : batch.gets) {
    answer.outcomes.push_back(kind == protocol::FrameKind::kProbe ? context_.dataPlane.probe(range)
                                                                  : context_.dataPlane.prefetch(range));
  }
  // Not from within the loop over the input, which sending may begin anew.
  loop_->post([weak = weak_from_this(), header = protocol::encodeBatchAnswer(answer)] {
    if (const auto self = weak.lock(); self != nullptr && self->open_) {
      --self->underWay_;
      self->put({.header = header});
    }
  });
}

GetDone Connection::answerLater(std::int64_t requestId, InFlightBytes::Reservation reservation,
                                const Turn& turn) {
  // std::function copies what it holds, so what must not be copied is shared.
  auto held = std::make_shared<InFlightBytes::Reservation>(std::move(reservation));
  return [weak = weak_from_this(), loop = loop_, held, requestId, turn](GetAnswer answer) {
    loop->post([weak, held, requestId, turn, shared = std::make_shared<GetAnswer>(std::move(answer))] {
      if (const auto self = weak.lock(); self != nullptr && self->open_) {
        self->answerInTurn({requestId, std::move(*shared), std::move(*held)}, turn);
      }
    });
  };
}

GetFilling Connection::sayFilling(std::int64_t requestId) {
  return [weak = weak_from_this(), loop = loop_, requestId] {
    loop->post([weak, requestId] {
      if (const auto self = weak.lock(); self != nullptr && self->open_) {
        wire::ReadAnswer header;
        header.__set_requestId(requestId);
        header.__set_status(wire::ReadStatus::FILLING);
        self->put({.header = protocol::encodeAnswer(header, 0)});
      }
    });
  };
}

void Connection::answerInTurn(Ready ready, const Turn& turn) {
  if (turn.turns == nullptr) {
    return answer(std::move(ready));
  }
  Turns& turns = *turn.turns;
  turns.waiting[turn.place] = std::move(ready);
  while (open_ && turns.next < turns.waiting.size() && turns.waiting[turns.next]) {
    answer(*std::move(turns.waiting[turns.next++]));
  }
}

void Connection::answer(Ready ready) {
  --underWay_;
  wire::ReadAnswer header;
  header.__set_requestId(ready.requestId);
  header.__set_status(ready.answer.status);
  if (ready.answer.status == wire::ReadStatus::HIT) {
    header.__set_segmentSize(static_cast<std::int32_t>(context_.segmentSize));
    header.__set_checksums(ready.answer.checksums);
  } else {
    header.__set_reason(ready.answer.reason);
  }
  std::size_t bodySize = 0;
  for (const AnswerSlice& slice : ready.answer.slices) {
    bodySize += slice.length;
  }
  InFlightBytes::Reservation loan;
  if (output_.mayLend() && bodySize >= kWorthLending) {
    loan = context_.lendable.reserve(bodySize);  // empty if others have taken too little: it is copied then
  }
  put({.header = protocol::encodeAnswer(header, static_cast<std::uint32_t>(bodySize)),
       .slices = std::move(ready.answer.slices),
       .reservation = std::move(ready.reservation),
       .loan = std::move(loan)});
}

void Connection::put(OutgoingFrame frame) {
  const bool wasEmpty = output_.empty();
  output_.put(std::move(frame));
  if (wasEmpty) {
    send();
  }
}

void Connection::send() {
  switch (output_.send(socket_.get())) {
    case Output::Outcome::kGone:
      return clientIsGone();
    case Output::Outcome::kFailed:
      return hangUp();
    case Output::Outcome::kAll:
    case Output::Outcome::kBlocked:
      break;
  }
  if (draining_ && underWay_ == 0 && output_.empty()) {
    return hangUp();
  }
  if (inputSize_ >= protocol::kPrefixSize && !saturated()) {
    return handleFrames();  // requests that waited for room
  }
  watch();
}

void Connection::watch() {
  if (!open_) {
    return;
  }
  const std::uint32_t wanted = (saturated() || draining_ ? 0U : std::uint32_t{EPOLLIN}) |
                               (output_.empty() ? 0U : std::uint32_t{EPOLLOUT});
  if (wanted != watched_) {
    watched_ = wanted;
    loop_->change(socket_.get(), watched_, *this);
  }
}

bool Connection::saturated() const {
  return underWay_ >= kMaxRequestsUnderWay || output_.unsentBytes() >= kMaxUnsentBytes;
}

}  // namespace shift::node
