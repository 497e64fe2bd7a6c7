#pragma once

#include <string>

namespace shift::tools {

/**
 * One line on standard error that is written over again and again. On something that is not a terminal, where
 * that cannot be, it prints a line for each further tenth of the work.
 */
class ProgressLine {
 public:
  ProgressLine();
  /** Ends the line. */
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /** `done` from 0 to 1; `text` is what stands behind the bar. */
  void show(double done, const std::string& text);

 private:
  const bool terminal_;
  int lastTenth_ = -1;
};

}  // namespace shift::tools
