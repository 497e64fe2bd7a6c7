#include "tools/sim/Commands.h"

#include <charconv>

namespace shift::sim {

namespace {

double numberIn(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw CLI::ValidationError("--scale", "\"" + text + "\" is not a number");
  }
  return value;
}

}  // namespace

void CommonOptions::addTo(CLI::App& command, bool withPlot) {
  command.add_option("--scale", scale, "share of one node's bytes and rates, up to 1")->capture_default_str();
  command.add_option("--seeds", seeds, "runs to take the mean of")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  command.add_option("--first-seed", firstSeed, "seed of the first run")->capture_default_str();
  command.add_flag("--json", json, "one JSON object per line");
  if (withPlot) {
    command.add_option("--plot", plot, "write a picture to this SVG file");
  }
}

double CommonOptions::scaleFactor() const {
  const std::size_t slash = scale.find('/');
  const double value = slash == std::string::npos
                           ? numberIn(scale)
                           : numberIn(scale.substr(0, slash)) / numberIn(scale.substr(slash + 1));
  if (!(value > 0 && value <= 1)) {
    throw CLI::ValidationError("--scale", "must be above 0 and at most 1");
  }
  return value;
}

}  // namespace shift::sim
