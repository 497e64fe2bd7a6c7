#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace shift::test {

/** A directory below the system's temporary one, removed with all it holds at the end of its life. */
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

  /** Writes a file, making its directories; returns its whole path. */
  std::string write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

/** Bytes that differ from seed to seed and from place to place, so that a mix-up shows. */
std::string patternedBytes(std::size_t size, unsigned seed);

}  // namespace shift::test
