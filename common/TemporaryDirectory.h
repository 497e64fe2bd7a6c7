#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace shift {

/** A directory of its own, removed with all it holds at the end of its life. */
class TemporaryDirectory {
 public:
  /**
   * Makes NAME-xxxxxx below `parent`, or below the system's temporary directory ($TMPDIR, /tmp). Throws
   * std::system_error if it cannot.
   */
  explicit TemporaryDirectory(std::string_view name);
  TemporaryDirectory(std::string_view name, const std::filesystem::path& parent);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace shift
