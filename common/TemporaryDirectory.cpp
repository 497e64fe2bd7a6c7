#include "common/TemporaryDirectory.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace shift {

TemporaryDirectory::TemporaryDirectory(std::string_view name)
    : TemporaryDirectory(name, std::filesystem::temp_directory_path()) {}

TemporaryDirectory::TemporaryDirectory(std::string_view name, const std::filesystem::path& parent) {
  std::string pattern = (parent / (std::string(name) + "-XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(),
                            "cannot make a temporary directory in " + parent.string());
  }
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace shift
