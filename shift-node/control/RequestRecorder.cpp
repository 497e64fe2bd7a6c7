#include "shift-node/control/RequestRecorder.h"

namespace shift::node {

RequestRecorder::RequestRecorder(control::AdmissionPolicy& policy, std::string directory, std::string node)
    : policy_(policy), directory_(std::move(directory)), node_(std::move(node)) {}

void RequestRecorder::record(const control::ReadRequest& request, TimePoint now) {
  if (isRecording_.load(std::memory_order_relaxed)) {
    std::lock_guard lock(mutex_);
    if (running_ != nullptr) {
      running_->recording.requests += running_->writer->add(request, now) ? 1 : 0;
    }
  }
  policy_.record(request, now);
}

Result<RequestRecorder::Recording> RequestRecorder::start(std::uint64_t maxBytes, std::int64_t wallMs) {
  if (directory_.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "this node has no trace.directory to record into; set it and start the node again"};
  }
  std::lock_guard lock(mutex_);
  if (running_ != nullptr) {
    return Error{ErrorCode::kAlreadyExists, "requests are being recorded already, into " +
                                                running_->recording.file + "; stop that recording first"};
  }
  auto running = std::make_unique<Running>();
  running->recording.file = directory_ + "/" + node_ + "-" + std::to_string(wallMs) + ".shifttrace";
  running->out.open(running->recording.file, std::ios::binary | std::ios::trunc);
  if (!running->out) {
    return Error::fromErrno(errno, "making " + running->recording.file);
  }
  running->writer =
      std::make_unique<control::RequestLogWriter>(running->out, control::RequestLogWriter::Limits{maxBytes});
  running_ = std::move(running);
  isRecording_ = true;
  return running_->recording;
}

Result<RequestRecorder::Recording> RequestRecorder::stop() {
  std::lock_guard lock(mutex_);
  if (running_ == nullptr) {
    return Error{ErrorCode::kNotFound, "no requests are being recorded"};
  }
  isRecording_ = false;
  Recording recording = running_->recording;
  recording.bytes = running_->writer->bytes();
  recording.leftOut = running_->writer->leftOut();
  running_->out.close();
  const bool isWhole = running_->out.good();
  running_.reset();
  lastFile_ = recording.file;
  if (!isWhole) {
    return Error{ErrorCode::kIo, "not all of it could be written to " + recording.file};
  }
  return recording;
}

RequestRecorder::Recording RequestRecorder::current() const {
  std::lock_guard lock(mutex_);
  return running_ == nullptr ? Recording() : running_->recording;
}

Result<std::string> RequestRecorder::read(std::uint64_t offset, std::uint32_t length) const {
  std::string file;
  {
    std::lock_guard lock(mutex_);
    file = lastFile_;
  }
  if (file.empty()) {
    return Error{ErrorCode::kNotFound, "nothing has been recorded since this node was started"};
  }
  std::ifstream in(file, std::ios::binary);
  if (!in || !in.seekg(static_cast<std::streamoff>(offset))) {
    return Error{ErrorCode::kIo, "cannot read " + file};
  }
  std::string piece(length, '\0');
  in.read(piece.data(), static_cast<std::streamsize>(length));
  piece.resize(static_cast<std::size_t>(in.gcount()));
  return piece;
}

}  // namespace shift::node
