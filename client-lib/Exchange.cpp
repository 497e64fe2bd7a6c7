#include "client-lib/Exchange.h"

#include <algorithm>

#include "read-protocol/Frame.h"

namespace shift::client {
namespace {

/** Requests on their way at once: enough to keep a node busy, few enough that neither side's buffers can fill
 * up. */
constexpr std::size_t kWindow = 16;

/** What a request takes in a batch besides its texts. */
constexpr std::size_t kRequestSize = 128;

std::size_t encodedSize(const GetTask& task) {
  const FileIdentity& file = task.file->identity;
  return kRequestSize + file.store.size() + file.path.size() + file.version.size() + task.file->job.size();
}

}  // namespace

wire::GetRequest requestFor(const OpenFile& file, const PlannedGet& get) {
  wire::GetRequest request;
  request.__set_blockHigh(static_cast<std::int64_t>(get.block.high));
  request.__set_blockLow(static_cast<std::int64_t>(get.block.low));
  request.__set_store(file.identity.store);
  request.__set_path(file.identity.path);
  request.__set_version(file.identity.version);
  request.__set_fileSize(static_cast<std::int64_t>(file.identity.size));
  request.__set_blockSize(static_cast<std::int64_t>(file.identity.blockSize));
  request.__set_blockIndex(static_cast<std::int64_t>(get.range.block));
  request.__set_offset(static_cast<std::int64_t>(get.range.offset));
  request.__set_length(static_cast<std::int64_t>(get.range.length));
  if (!file.job.empty()) {
    request.__set_job(file.job);
  }
  return request;
}

Exchange::Exchange(NodeClient& node, const ExchangeOptions& options, const Clock& clock)
    : node_(node), options_(options), clock_(clock) {}

void Exchange::begin() {
  if (!node_.worthTrying()) {
    return giveUp(GetTask::Outcome::kSkipped);
  }
  Result<NodeConnection> connection = node_.connect();
  if (!connection) {
    return fail(GetTask::Outcome::kFailed);
  }
  connection_ = *std::move(connection);
  waitingSince_ = clock_.now();
  if (!sendMore()) {
    fail(GetTask::Outcome::kFailed);
  }
}

void Exchange::finish() {
  while (connection_ && answered_ < tasks_.size()) {
    if (isTakingTooLong()) {
      fail(GetTask::Outcome::kHedged);
    } else if (!receiveNext() || !sendMore()) {
      fail(GetTask::Outcome::kFailed);
    }
  }
  if (connection_) {
    node_.succeeded(*std::move(connection_));
    connection_.reset();
  }
}

/** Fills the window up again once half of it is answered, with one frame. */
Status Exchange::sendMore() {
  if (sent_ == tasks_.size() || sent_ - answered_ > kWindow / 2) {
    return {};
  }
  return connection_->send(nextBatch(), clock_.now() + options_.getDeadline);
}

std::string Exchange::nextBatch() {
  wire::BatchRequest batch;
  std::size_t size = kRequestSize;
  while (sent_ < tasks_.size() && sent_ - answered_ < kWindow) {
    const GetTask& task = *tasks_[sent_];
    size += encodedSize(task);
    if (size > protocol::kMaxHeaderSize && !batch.gets.empty()) {
      break;
    }
    wire::GetRequest request = requestFor(*task.file, task.get);
    request.__set_requestId(static_cast<std::int64_t>(sent_++));
    request.__set_deadlineMs(static_cast<std::int32_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(options_.getDeadline).count()));
    request.__set_wantsFilling(options_.mayHedge != nullptr);
    request.__set_verifier(verifierOf(task));
    batch.gets.push_back(std::move(request));
  }
  const std::int64_t taken = connection_->sayTaken();
  if (batch.gets.size() == 1) {
    batch.gets.front().__set_taken(taken);
    return protocol::encodeGet(batch.gets.front());
  }
  batch.__set_taken(taken);
  return protocol::encodeBatch(batch, protocol::FrameKind::kGetBatch);
}

wire::Verifier::type Exchange::verifierOf(const GetTask& task) const {
  if (task.isDoubted) {
    return wire::Verifier::NODE_ANEW;
  }
  return options_.verify ? wire::Verifier::CLIENT : wire::Verifier::NODE;
}

Status Exchange::receiveNext() {
  GetTask* task = nullptr;
  const auto place = [&](const wire::ReadAnswer& answer,
                         std::size_t bodySize) -> Result<std::span<std::byte>> {
    const auto index = static_cast<std::size_t>(answer.requestId);
    if (index >= sent_ || tasks_[index]->outcome != GetTask::Outcome::kPending) {
      return Error{ErrorCode::kCorrupt, "the node answered what was not asked"};
    }
    task = tasks_[index];
    const std::size_t wanted = answer.status == wire::ReadStatus::HIT ? task->into.size() : 0;
    if (bodySize != wanted) {
      return Error{ErrorCode::kCorrupt, "the node sent another number of bytes than was asked for"};
    }
    if (options_.verify) {
      check_.begin(task->get, answer);
    }
    return task->into.first(wanted);
  };
  const auto arrived = [&](std::span<const std::byte> bytes) {
    if (options_.verify) {
      check_.add(bytes);
    }
  };
  const Result<wire::ReadAnswer> answer =
      connection_->receive(place, arrived, clock_.now() + options_.getDeadline);
  if (!answer) {
    return answer.error();
  }
  const TimePoint now = clock_.now();
  if (answer->status == wire::ReadStatus::FILLING) {
    task->isFilling = true;
    waitingSince_ = now;
    return {};
  }
  ++answered_;
  if (answer->status != wire::ReadStatus::HIT) {
    task->outcome = GetTask::Outcome::kRefused;
  } else {
    const bool isGood = !options_.verify || check_.isGenuine();
    task->outcome = isGood ? GetTask::Outcome::kHit : GetTask::Outcome::kCorrupt;
  }
  if (!task->isFilling) {
    node_.answeredAfter(now - waitingSince_);
  }
  waitingSince_ = now;
  return {};
}

/** Nothing has come for unusually long, and nothing says that the node is at work on it. */
bool Exchange::isTakingTooLong() {
  if (!options_.mayHedge) {
    return false;
  }
  const Duration patience = std::max(options_.hedgeAfter, node_.unusualLatency());
  if (patience >= options_.getDeadline || connection_->waitForAnswer(waitingSince_ + patience)) {
    return false;
  }
  std::size_t pending = 0;
  for (const GetTask* task : tasks_) {
    pending += task->outcome == GetTask::Outcome::kPending ? 1 : 0;
    if (task->outcome == GetTask::Outcome::kPending && task->isFilling) {
      return false;
    }
  }
  return options_.mayHedge(pending);
}

void Exchange::fail(GetTask::Outcome outcome) {
  connection_.reset();
  node_.failed();
  giveUp(outcome);
}

void Exchange::giveUp(GetTask::Outcome outcome) {
  for (GetTask* task : tasks_) {
    if (task->outcome == GetTask::Outcome::kPending) {
      task->outcome = outcome;
    }
  }
}

}  // namespace shift::client
