#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/Clock.h"
#include "common/Result.h"
#include "control-plane/ReadRequest.h"

namespace shift::control {

/** The first bytes of a log; the last of them is the version of the format. */
inline constexpr std::string_view kRequestLogMagic = "SHIFTRQ1";

/** A request as a log has it. */
struct LoggedRequest {
  double time = 0;  // seconds since the first
  ReadRequest request;
};

/**
 * Records requests, to be replayed by `shift-sim replay`. A request takes some twelve bytes: files and jobs
 * are written out once and then named by number, times are differences, numbers are as long as they need.
 * Bounded in bytes and in names: what goes beyond is counted and left out. Not thread-safe.
 */
class RequestLogWriter {
 public:
  struct Limits {
    std::uint64_t bytes = 1 << 30;
    std::size_t names = 1 << 20;  // files and jobs, each
  };
  /** `out` outlives this. */
  RequestLogWriter(std::ostream& out, const Limits& limits);

  /** Times must not run backwards; one that does counts as the last. False: left out. */
  bool add(const ReadRequest& request, TimePoint now);

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t leftOut() const { return leftOut_; }

 private:
  void flush();

  std::ostream& out_;
  const Limits limits_;
  std::string buffer_;  // of one request, with the names it brings
  std::unordered_map<std::string, std::uint64_t> files_;
  std::unordered_map<std::string, std::uint64_t> jobs_;
  std::optional<TimePoint> last_;
  std::uint64_t bytes_ = 0;
  std::uint64_t leftOut_ = 0;
};

/** Reads what the writer wrote, from a file that may be cut short or be anything at all. Not thread-safe. */
class RequestLogReader {
 public:
  /** `in` stands behind the magic, and outlives this. */
  explicit RequestLogReader(std::istream& in) : in_(in) {}

  /** Nothing at the end; an error where the bytes make no sense. */
  Result<std::optional<LoggedRequest>> next();

 private:
  bool number(std::uint64_t& value);
  bool text(std::string& value);
  bool readFile();

  std::istream& in_;
  std::vector<ReadRequest> files_;
  std::vector<std::string> jobs_;
  std::uint64_t microseconds_ = 0;
};

}  // namespace shift::control
