#include "common/ReplaceFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "common/FileDescriptor.h"

namespace shift {
namespace {

Status writeWhole(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return Error::fromErrno(errno, "writing " + path);
    }
  }
  return ::fdatasync(fd) == 0 ? Status() : Status(Error::fromErrno(errno, "writing " + path));
}

}  // namespace

Status replaceFile(const std::string& path, std::string_view content) {
  const std::string next = path + ".next";
  const FileDescriptor file(::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.valid()) {
    return Error::fromErrno(errno, "opening " + next);
  }
  if (const Status written = writeWhole(file.get(), content, next); !written) {
    return written;
  }
  return std::rename(next.c_str(), path.c_str()) == 0
             ? Status()
             : Status(Error::fromErrno(errno, "renaming " + next + " to " + path));
}

}  // namespace shift
