#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "common/FileDescriptor.h"

namespace shift::bench {

/**
 * What all contestants serve: one file of equally long items, no two alike, which stays mapped. Thread-safe.
 */
class Dataset {
 public:
  static constexpr std::string_view kFileName = "data";

  /** Writes it into a directory, which is made. Throws std::runtime_error if it cannot. */
  Dataset(const std::string& directory, std::size_t items, std::size_t itemBytes);
  ~Dataset();
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  const std::string& directory() const { return directory_; }
  std::size_t items() const { return items_; }
  std::size_t itemBytes() const { return itemBytes_; }
  std::size_t bytes() const { return items_ * itemBytes_; }
  std::size_t offsetOf(std::size_t item) const { return item * itemBytes_; }
  std::span<const std::byte> item(std::size_t index) const;

 private:
  const std::string directory_;
  const std::size_t items_;
  const std::size_t itemBytes_;
  const std::byte* content_ = nullptr;
};

}  // namespace shift::bench
