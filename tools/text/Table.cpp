#include "tools/text/Table.h"

#include <fmt/format.h>

#include <algorithm>

namespace shift::tools {

Table::Table(std::vector<std::string> header) {
  rows_.push_back(std::move(header));
}

void Table::row(std::vector<std::string> cells) {
  cells.resize(rows_.front().size());
  rows_.push_back(std::move(cells));
}

std::string Table::str() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  std::string text;
  for (const auto& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      text += column == 0 ? fmt::format("  {:<{}}", row[column], widths[column])
                          : fmt::format("  {:>{}}", row[column], widths[column]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace shift::tools
