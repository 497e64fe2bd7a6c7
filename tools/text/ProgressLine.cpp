#include "tools/text/ProgressLine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace shift::tools {
namespace {

constexpr int kBarWidth = 30;

}  // namespace

ProgressLine::ProgressLine(Elsewhere elsewhere)
    : terminal_(::isatty(STDERR_FILENO) == 1), elsewhere_(elsewhere) {}

ProgressLine::~ProgressLine() {
  if (terminal_ && lastTenth_ >= 0) {
    fmt::print(stderr, "\n");
  }
}

void ProgressLine::show(double done, const std::string& text) {
  if (!terminal_ && elsewhere_ == Elsewhere::kSilent) {
    return;
  }
  done = std::clamp(done, 0.0, 1.0);
  const int tenth = static_cast<int>(done * 10);
  const int filled = static_cast<int>(done * kBarWidth);
  const std::string line =
      fmt::format("  [{:=<{}}{: <{}}] {:3.0f} %  {}", "", filled, "", kBarWidth - filled, done * 100, text);
  if (terminal_) {
    fmt::print(stderr, "\r{}\033[K", line);
    std::fflush(stderr);
  } else if (tenth > lastTenth_) {
    fmt::print(stderr, "{}\n", line);
  }
  lastTenth_ = std::max(lastTenth_, tenth);
}

}  // namespace shift::tools
