#include "control-plane/RequestLog.h"

#include <algorithm>

namespace shift::control {

namespace {

// What follows begins with one of these.
constexpr char kFile = 'f';
constexpr char kJob = 'j';
constexpr char kRequest = 'r';
/** Paths and names are shorter; a longer one is not a log. */
constexpr std::uint64_t kMaxText = 1 << 16;
/** A log that names more has been made up. */
constexpr std::size_t kMaxNames = 1 << 24;

void putNumber(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out.push_back(static_cast<char>(0x80 | (value & 0x7f)));
  }
  out.push_back(static_cast<char>(value));
}

void putText(std::string& out, std::string_view text) {
  putNumber(out, text.size());
  out.append(text);
}

Error malformed(const char* what) {
  return {ErrorCode::kInvalidArgument, std::string("not a log of requests: ") + what};
}

}  // namespace

RequestLogWriter::RequestLogWriter(std::ostream& out, const Limits& limits) : out_(out), limits_(limits) {
  buffer_ = kRequestLogMagic;
  flush();
}

bool RequestLogWriter::add(const ReadRequest& request, TimePoint now) {
  std::string file;
  putText(file, request.store);
  putText(file, request.path);
  putText(file, request.version);
  putNumber(file, request.fileSize);
  putNumber(file, request.blockSize);
  const auto knownFile = files_.find(file);
  const auto knownJob = jobs_.find(request.job);
  const bool tooMany = (knownFile == files_.end() && files_.size() >= limits_.names) ||
                       (knownJob == jobs_.end() && jobs_.size() >= limits_.names);
  const std::uint64_t fileNumber = knownFile == files_.end() ? files_.size() : knownFile->second;
  const std::uint64_t jobNumber = knownJob == jobs_.end() ? jobs_.size() : knownJob->second;
  if (knownFile == files_.end()) {
    buffer_.push_back(kFile);
    buffer_.append(file);
  }
  if (knownJob == jobs_.end()) {
    buffer_.push_back(kJob);
    putText(buffer_, request.job);
  }
  const TimePoint time = last_.has_value() ? std::max(*last_, now) : now;
  const Duration since = last_.has_value() ? time - *last_ : Duration(0);
  buffer_.push_back(kRequest);
  putNumber(buffer_, static_cast<std::uint64_t>(since / std::chrono::microseconds(1)));
  putNumber(buffer_, fileNumber);
  putNumber(buffer_, jobNumber);
  putNumber(buffer_, request.blockIndex);
  putNumber(buffer_, request.offset);
  putNumber(buffer_, request.length);
  if (tooMany || bytes_ + buffer_.size() > limits_.bytes) {
    buffer_.clear();
    ++leftOut_;
    return false;
  }
  files_.try_emplace(std::move(file), fileNumber);
  jobs_.try_emplace(request.job, jobNumber);
  // Only whole microseconds have gone into the log: what is left over belongs to the next difference.
  last_ = last_.has_value() ? *last_ + std::chrono::floor<std::chrono::microseconds>(since) : time;
  flush();
  return true;
}

void RequestLogWriter::flush() {
  out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  bytes_ += buffer_.size();
  buffer_.clear();
}

Result<std::optional<LoggedRequest>> RequestLogReader::next() {
  for (;;) {
    const int kind = in_.get();
    if (kind == std::istream::traits_type::eof()) {
      return std::optional<LoggedRequest>();
    }
    if (kind == kFile) {
      if (files_.size() >= kMaxNames || !readFile()) {
        return malformed("a file is cut short or too large");
      }
    } else if (kind == kJob) {
      std::string job;
      if (jobs_.size() >= kMaxNames || !text(job)) {
        return malformed("a job is cut short or too large");
      }
      jobs_.push_back(std::move(job));
    } else if (kind == kRequest) {
      std::uint64_t since = 0;
      std::uint64_t file = 0;
      std::uint64_t job = 0;
      LoggedRequest logged;
      std::uint64_t blockIndex = 0;
      if (!number(since) || !number(file) || !number(job) || !number(blockIndex) ||
          !number(logged.request.offset) || !number(logged.request.length)) {
        return malformed("a request is cut short");
      }
      if (file >= files_.size() || job >= jobs_.size()) {
        return malformed("a request names a file or job that was not there before");
      }
      const std::uint64_t offset = logged.request.offset;
      const std::uint64_t length = logged.request.length;
      logged.request = files_[file];
      logged.request.job = jobs_[job];
      logged.request.blockIndex = blockIndex;
      logged.request.offset = offset;
      logged.request.length = length;
      logged.request.block = blockIdOf(logged.request.store, logged.request.path, logged.request.version,
                                       logged.request.blockSize, blockIndex);
      microseconds_ += since;
      logged.time = static_cast<double>(microseconds_) * 1e-6;
      return std::optional(std::move(logged));
    } else {
      return malformed("an entry begins with an unknown byte");
    }
  }
}

bool RequestLogReader::number(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const int byte = in_.get();
    if (byte == std::istream::traits_type::eof()) {
      return false;
    }
    value |= (static_cast<std::uint64_t>(byte) & 0x7f) << shift;
    if ((byte & 0x80) == 0) {
      return true;
    }
  }
  return false;
}

bool RequestLogReader::text(std::string& value) {
  std::uint64_t size = 0;
  if (!number(size) || size > kMaxText) {
    return false;
  }
  value.resize(size);
  in_.read(value.data(), static_cast<std::streamsize>(size));
  return static_cast<std::uint64_t>(in_.gcount()) == size;
}

bool RequestLogReader::readFile() {
  ReadRequest file;
  if (!text(file.store) || !text(file.path) || !text(file.version) || !number(file.fileSize) ||
      !number(file.blockSize)) {
    return false;
  }
  files_.push_back(std::move(file));
  return true;
}

}  // namespace shift::control
