#pragma once

#include <string>

namespace shift::tools {

/**
 * One line on standard error that is written over again and again. On something that is not a terminal, where
 * that cannot be, it prints a line for each further tenth of the work, or nothing.
 */
class ProgressLine {
 public:
  /** What is done where the line cannot be written over. */
  enum class Elsewhere { kTenths, kSilent };

  explicit ProgressLine(Elsewhere elsewhere = Elsewhere::kTenths);
  /** Ends the line. */
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /** `done` from 0 to 1; `text` is what stands behind the bar. */
  void show(double done, const std::string& text);

 private:
  const bool terminal_;
  const Elsewhere elsewhere_;
  int lastTenth_ = -1;
};

}  // namespace shift::tools
