#include "tests/support/TemporaryDirectory.h"

#include <fstream>
#include <random>
#include <stdexcept>

namespace shift::test {

std::string TemporaryDirectory::write(std::string_view name, std::string_view content) const {
  const std::filesystem::path whole = path() / name;
  std::filesystem::create_directories(whole.parent_path());
  std::ofstream out(whole, std::ios::binary | std::ios::trunc);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out) {
    throw std::runtime_error("cannot write " + whole.string());
  }
  return whole.string();
}

std::string patternedBytes(std::size_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = random();
    bytes.replace(at, std::min(sizeof word, size - at), reinterpret_cast<const char*>(&word),
                  std::min(sizeof word, size - at));
  }
  return bytes;
}

}  // namespace shift::test
