#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

/** A file of this process, for parsers that read files: what was put last is what it holds. Returns its path.
 */
inline const std::string& putFuzzFile(const void* bytes, std::size_t size) {
  static const std::string path = [] {
    char pattern[] = "/tmp/shift-fuzz-XXXXXX";
    if (::mkstemp(pattern) < 0) {
      std::abort();
    }
    return std::string(pattern);
  }();
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  std::fwrite(bytes, 1, size, file);
  std::fclose(file);
  return path;
}
