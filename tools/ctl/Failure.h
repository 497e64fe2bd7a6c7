#pragma once

#include <stdexcept>
#include <string>

#include "common/Result.h"

namespace shift::ctl {

/** How shiftctl ends; docs/shiftctl.md tells them to scripts. */
enum ExitCode : int {
  kDone = 0,
  kFailed = 1,   // nothing was done: what was asked cannot be reached, or is not there
  kRefused = 2,  // the command line or a value makes no sense; nothing was done
  kPartly = 3,   // done, or answered, by some nodes and not by others
};

/** Ends a command. main() prints it. */
class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  /** What was wrong with the request ends with kRefused, all else with kFailed. */
  explicit Failure(const Error& error)
      : Failure(error.code == ErrorCode::kInvalidArgument ? kRefused : kFailed, error.message) {}

  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/** The value, or the end of the command. */
template <typename T>
T orFail(Result<T> result) {
  if (!result) {
    throw Failure(result.error());
  }
  return *std::move(result);
}

inline void orFail(const Status& status) {
  if (!status) {
    throw Failure(status.error());
  }
}

}  // namespace shift::ctl
