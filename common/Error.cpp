#include "common/Error.h"

#include <cerrno>
#include <system_error>

namespace shift {
namespace {

ErrorCode codeOf(int systemError) {
  switch (systemError) {
    case ENOENT:
    case ENOTDIR:
      return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kPermissionDenied;
    case EEXIST:
    case EADDRINUSE:
      return ErrorCode::kAlreadyExists;
    case ECONNREFUSED:
    case ECONNRESET:
    case EPIPE:
    case EHOSTUNREACH:
    case ENETUNREACH:
      return ErrorCode::kUnavailable;
    case ETIMEDOUT:
    case EAGAIN:
      return ErrorCode::kTimedOut;
    case ENOSPC:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
      return ErrorCode::kExhausted;
    case EINVAL:
    case EISDIR:
    case ELOOP:
    case EXDEV:
    case EBADF:
    case ENAMETOOLONG:
      return ErrorCode::kInvalidArgument;
    default:
      return ErrorCode::kIo;
  }
}

}  // namespace

std::string_view toString(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid argument";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kPermissionDenied:
      return "permission denied";
    case ErrorCode::kAlreadyExists:
      return "already exists";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kTimedOut:
      return "timed out";
    case ErrorCode::kExhausted:
      return "exhausted";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kIo:
      return "input/output error";
  }
  return "unknown";
}

Error Error::fromErrno(int systemError, std::string_view doing) {
  return Error{codeOf(systemError), std::string(doing) + ": " + std::generic_category().message(systemError),
               systemError};
}

int Error::toErrno() const {
  if (systemError != 0) {
    return systemError;
  }
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return EINVAL;
    case ErrorCode::kNotFound:
      return ENOENT;
    case ErrorCode::kPermissionDenied:
      return EACCES;
    case ErrorCode::kAlreadyExists:
      return EEXIST;
    case ErrorCode::kTimedOut:
      return ETIMEDOUT;
    case ErrorCode::kExhausted:
      return ENOMEM;
    case ErrorCode::kUnavailable:
    case ErrorCode::kCorrupt:
    case ErrorCode::kIo:
      return EIO;
  }
  return EIO;
}

}  // namespace shift
