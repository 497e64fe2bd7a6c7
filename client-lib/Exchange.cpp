#include "client-lib/Exchange.h"

#include "blocks/Checksum.h"
#include "blocks/Geometry.h"
#include "read-protocol/Frame.h"

namespace shift::client {
namespace {

/** Requests on their way at once: enough to keep a node busy, few enough that neither side's buffers can fill
 * up. */
constexpr std::size_t kWindow = 16;

}  // namespace

Exchange::Exchange(NodeClient& node, const FileIdentity& file, const std::string& job,
                   const ExchangeOptions& options, const Clock& clock)
    : node_(node), file_(file), job_(job), options_(options), clock_(clock) {}

void Exchange::begin() {
  if (!node_.worthTrying()) {
    return giveUp(GetTask::Outcome::kSkipped);
  }
  Result<NodeConnection> connection = node_.connect();
  if (!connection) {
    node_.failed();
    return giveUp(GetTask::Outcome::kFailed);
  }
  connection_ = *std::move(connection);
  while (connection_ && sent_ < std::min(kWindow, tasks_.size())) {
    if (!sendNext()) {
      connection_.reset();
      node_.failed();
      giveUp(GetTask::Outcome::kFailed);
    }
  }
}

void Exchange::finish() {
  while (connection_ && answered_ < tasks_.size()) {
    if (!receiveNext() || (sent_ < tasks_.size() && !sendNext())) {
      connection_.reset();
      node_.failed();
      giveUp(GetTask::Outcome::kFailed);
    }
  }
  if (connection_) {
    node_.succeeded(*std::move(connection_));
    connection_.reset();
  }
}

Status Exchange::sendNext() {
  const PlannedGet& get = tasks_[sent_]->get;
  wire::GetRequest request;
  request.__set_requestId(static_cast<std::int64_t>(sent_));
  request.__set_blockHigh(static_cast<std::int64_t>(get.block.high));
  request.__set_blockLow(static_cast<std::int64_t>(get.block.low));
  request.__set_store(file_.store);
  request.__set_path(file_.path);
  request.__set_version(file_.version);
  request.__set_fileSize(static_cast<std::int64_t>(file_.size));
  request.__set_blockSize(static_cast<std::int64_t>(file_.blockSize));
  request.__set_blockIndex(static_cast<std::int64_t>(get.range.block));
  request.__set_offset(static_cast<std::int64_t>(get.range.offset));
  request.__set_length(static_cast<std::int64_t>(get.range.length));
  if (!job_.empty()) {
    request.__set_job(job_);
  }
  request.__set_deadlineMs(static_cast<std::int32_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(options_.getDeadline).count()));
  ++sent_;
  return connection_->send(protocol::encodeGet(request), clock_.now() + options_.getDeadline);
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
    return task->into.first(wanted);
  };
  const Result<wire::ReadAnswer> answer = connection_->receive(place, clock_.now() + options_.getDeadline);
  if (!answer) {
    return answer.error();
  }
  ++answered_;
  if (answer->status != wire::ReadStatus::HIT) {
    task->outcome = GetTask::Outcome::kRefused;
  } else {
    const bool genuine = !options_.verify || isGenuine(*task, *answer);
    task->outcome = genuine ? GetTask::Outcome::kHit : GetTask::Outcome::kCorrupt;
  }
  return {};
}

void Exchange::giveUp(GetTask::Outcome outcome) {
  for (GetTask* task : tasks_) {
    if (task->outcome == GetTask::Outcome::kPending) {
      task->outcome = outcome;
    }
  }
}

bool Exchange::isGenuine(const GetTask& task, const wire::ReadAnswer& answer) const {
  if (answer.segmentSize <= 0) {
    return false;
  }
  const std::vector<SegmentSlice> slices = cutIntoSegments(task.get.range.offset, task.get.range.length,
                                                           static_cast<std::uint32_t>(answer.segmentSize));
  if (answer.checksums.size() != slices.size()) {
    return false;
  }
  std::span<const std::byte> rest = task.into;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const SegmentKey key{task.get.block, slices[i].segment};
    if (checksumOf(key, slices[i].offset, rest.first(slices[i].length)) !=
        static_cast<std::uint64_t>(answer.checksums[i])) {
      return false;
    }
    rest = rest.subspan(slices[i].length);
  }
  return true;
}

}  // namespace shift::client
