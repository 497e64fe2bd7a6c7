#include "tools/load/Pieces.h"

#include <algorithm>

namespace shift::load {

Pieces::Pieces(const std::vector<DataFile>& files, std::uint64_t pieceBytes) : pieceBytes_(pieceBytes) {
  firstPiece_.push_back(0);
  for (const DataFile& file : files) {
    sizes_.push_back(file.size);
    firstPiece_.push_back(firstPiece_.back() + (file.size + pieceBytes - 1) / pieceBytes);
  }
}

ReadRange Pieces::at(std::uint64_t index) const {
  const auto after = std::upper_bound(firstPiece_.begin(), firstPiece_.end(), index);
  const auto file = static_cast<std::size_t>(after - firstPiece_.begin()) - 1;
  const std::uint64_t offset = (index - firstPiece_[file]) * pieceBytes_;
  return {file, offset, std::min(pieceBytes_, sizes_[file] - offset)};
}

}  // namespace shift::load
