#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shift::load {

/** A file of the dataset. */
struct DataFile {
  std::string path;  // below the store's root
  std::uint64_t size = 0;
};

/** What one read asks for. */
struct ReadRange {
  std::size_t file = 0;  // index into the dataset
  std::uint64_t offset = 0;
  std::uint64_t length = 0;

  bool operator==(const ReadRange&) const = default;
};

/**
 * A dataset cut into pieces of equal size, numbered through from file to file. The last piece of a file may
 * be shorter; none crosses from one file into the next. Immutable.
 */
class Pieces {
 public:
  Pieces(const std::vector<DataFile>& files, std::uint64_t pieceBytes);

  std::uint64_t count() const { return firstPiece_.back(); }
  /** `index` is less than count(). */
  ReadRange at(std::uint64_t index) const;

 private:
  const std::uint64_t pieceBytes_;
  std::vector<std::uint64_t> sizes_;       // by file
  std::vector<std::uint64_t> firstPiece_;  // by file, and the number of all pieces at the end
};

}  // namespace shift::load
