#pragma once

#include <string>
#include <vector>

namespace shift::tools {

/** Text in columns: the first aligned to the left, the others, which are numbers, to the right. */
class Table {
 public:
  explicit Table(std::vector<std::string> header);
  void row(std::vector<std::string> cells);
  /** With each line indented by two blanks and ended by a newline. */
  std::string str() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace shift::tools
