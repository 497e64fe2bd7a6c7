#pragma once

#include <string>
#include <string_view>

namespace shift {

enum class ErrorCode {
  kInvalidArgument,  // the caller asked for something that can never work
  kNotFound,
  kPermissionDenied,
  kAlreadyExists,  // something else holds the name, port or file
  kUnavailable,    // the other side is not there; it may come back
  kTimedOut,
  kExhausted,  // a limit was reached
  kCorrupt,    // bytes were read, but they are not what was written
  kIo,
};

std::string_view toString(ErrorCode code);

/** What went wrong, in words that name the fault and, where there is one, the remedy. */
struct Error {
  ErrorCode code = ErrorCode::kIo;
  std::string message;
  /** The errno behind it, or 0. Kept because a POSIX caller must be handed the same one. */
  int systemError = 0;

  /** "reading /a/b: No such file or directory"; the code follows from the errno. */
  static Error fromErrno(int systemError, std::string_view doing);

  /** The errno to hand to a POSIX caller: the one behind it, or the nearest to the code. */
  int toErrno() const;
};

}  // namespace shift
