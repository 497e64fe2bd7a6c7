#include "backing-store/DirectoryStore.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <utility>
#include <vector>

#include "backing-store/StorePath.h"

namespace shift::store {
namespace {

FileInfo infoOf(const struct stat& status) {
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return {size, std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec) + "-" +
                    std::to_string(size)};
}

Result<FileInfo> infoOf(int fd, const std::string& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) {
    return Error::fromErrno(errno, "stat of " + path);
  }
  if (S_ISDIR(status.st_mode)) {
    return Error::fromErrno(EISDIR, "opening " + path);
  }
  if (!S_ISREG(status.st_mode)) {
    return Error{ErrorCode::kInvalidArgument, path + " is not a regular file", EINVAL};
  }
  return infoOf(status);
}

/** What of the buffers is left to fill after `done` bytes, as much as one system call takes. */
std::vector<iovec> unfilled(std::span<const std::span<std::byte>> buffers, std::size_t done) {
  std::vector<iovec> left;
  left.reserve(buffers.size());
  for (const std::span<std::byte> buffer : buffers) {
    const std::size_t filled = std::min(done, buffer.size());
    done -= filled;
    if (filled < buffer.size() && left.size() < IOV_MAX) {
      left.push_back({buffer.data() + filled, buffer.size() - filled});
    }
  }
  return left;
}

class DirectoryFile final : public BackingFile {
 public:
  DirectoryFile(FileDescriptor fd, FileInfo info, std::string path)
      : fd_(std::move(fd)), info_(std::move(info)), path_(std::move(path)) {}

  const FileInfo& info() const override { return info_; }

  Result<FileInfo> currentInfo() const override { return infoOf(fd_.get(), path_); }

  using BackingFile::read;
  Result<std::size_t> read(std::span<const std::span<std::byte>> into, std::uint64_t offset) const override {
    std::size_t done = 0;
    for (std::vector<iovec> left = unfilled(into, 0); !left.empty(); left = unfilled(into, done)) {
      const ssize_t got =
          ::preadv(fd_.get(), left.data(), static_cast<int>(left.size()), static_cast<off_t>(offset + done));
      if (got == 0) {
        break;
      }
      if (got > 0) {
        done += static_cast<std::size_t>(got);
      } else if (errno != EINTR) {
        return Error::fromErrno(errno, "reading " + path_);
      }
    }
    return done;
  }

 private:
  const FileDescriptor fd_;
  const FileInfo info_;
  const std::string path_;
};

/** For kernels or sandboxes without openat2: name by name, and no symbolic link is followed at all. */
int walkBeneath(int directory, const std::string& path, int flags) {
  FileDescriptor here;
  int at = directory;
  for (std::size_t begin = 0;;) {
    const std::size_t slash = path.find('/', begin);
    const std::string name = path.substr(begin, slash - begin);
    if (slash == std::string::npos) {
      return ::openat(at, name.c_str(), flags | O_NOFOLLOW);
    }
    here = FileDescriptor(::openat(at, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!here.valid()) {
      return -1;
    }
    at = here.get();
    begin = slash + 1;
  }
}

}  // namespace

Result<std::unique_ptr<DirectoryStore>> DirectoryStore::open(std::string name, const std::string& root) {
  FileDescriptor directory(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) {
    return Error::fromErrno(errno, "opening the backing store's root directory " + root);
  }
  return std::unique_ptr<DirectoryStore>(new DirectoryStore(std::move(name), root, std::move(directory)));
}

DirectoryStore::DirectoryStore(std::string name, std::string root, FileDescriptor directory)
    : name_(std::move(name)), root_(std::move(root)), directory_(std::move(directory)) {}

Result<FileInfo> DirectoryStore::stat(std::string_view path) const {
  const Result<std::string> normal = normalisePath(path);
  if (!normal) {
    return normal.error();
  }
  const Result<FileDescriptor> fd = openBeneath(*normal, O_PATH);
  if (!fd) {
    return fd.error();
  }
  return infoOf(fd->get(), *normal);
}

Result<std::unique_ptr<BackingFile>> DirectoryStore::open(std::string_view path) const {
  Result<std::string> normal = normalisePath(path);
  if (!normal) {
    return normal.error();
  }
  // O_NONBLOCK: opening a FIFO that someone left in the tree must not hang; regular files ignore it.
  Result<FileDescriptor> fd = openBeneath(*normal, O_RDONLY | O_NONBLOCK);
  if (!fd) {
    return fd.error();
  }
  return adoptFile(*std::move(fd), *std::move(normal));
}

Result<std::unique_ptr<BackingFile>> adoptFile(FileDescriptor fd, std::string path) {
  Result<FileInfo> info = infoOf(fd.get(), path);
  if (!info) {
    return info.error();
  }
  return std::unique_ptr<BackingFile>(new DirectoryFile(std::move(fd), *std::move(info), std::move(path)));
}

Result<std::vector<ListedFile>> DirectoryStore::list(std::string_view directory) const {
  const Result<std::string> normal = normalisePath(directory);
  if (!normal) {
    return normal.error();
  }
  std::vector<ListedFile> files;
  if (const Status listed = listInto(*normal, files); !listed) {
    return listed.error();
  }
  std::sort(files.begin(), files.end(),
            [](const ListedFile& a, const ListedFile& b) { return a.path < b.path; });
  return files;
}

Status DirectoryStore::listInto(const std::string& directory, std::vector<ListedFile>& files) const {
  Result<FileDescriptor> fd = openBeneath(directory, O_RDONLY | O_DIRECTORY);
  if (!fd) {
    return fd.error();
  }
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(fd->get()), &::closedir);
  if (stream == nullptr) {
    return Error::fromErrno(errno, "listing " + directory);
  }
  fd->release();  // the stream closes it
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") {
      continue;
    }
    const std::string path = directory + "/" + std::string(name);
    struct stat status {};
    if (::fstatat(::dirfd(stream.get()), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;  // gone since
    }
    if (S_ISDIR(status.st_mode)) {
      if (const Status below = listInto(path, files); !below) {
        return below;
      }
    } else if (S_ISREG(status.st_mode)) {
      files.push_back({path, infoOf(status)});
    }
  }
  return {};
}

Result<FileDescriptor> DirectoryStore::openBeneath(const std::string& path, int flags) const {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  int fd = static_cast<int>(::syscall(SYS_openat2, directory_.get(), path.c_str(), &how, sizeof how));
  if (fd < 0 && (errno == ENOSYS || errno == EPERM)) {
    fd = walkBeneath(directory_.get(), path, flags | O_CLOEXEC);
  }
  if (fd < 0) {
    return Error::fromErrno(errno, "opening " + root_ + "/" + path);
  }
  return FileDescriptor(fd);
}

}  // namespace shift::store
