#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "tests/integration/BusyTier.h"
#include "tests/support/Browser.h"

namespace {

using namespace shift;

/** Looks at a busy tier from its start on, and keeps what is to be seen in the end. */
void takePicture(const std::string& file, std::chrono::seconds length, const std::string& scheme) {
  const SystemClock clock;
  const SystemWaiter waiter;
  const TimePoint end = clock.now() + length;
  test::BusyTier tier(std::filesystem::canonical("/proc/self/exe").parent_path(), clock, length);
  const TemporaryDirectory directory("shift-picture");
  const auto browser = test::Browser::start(directory.path(), clock);
  browser->preferScheme(scheme);
  browser->open("http://" + toString(tier.dashboard()) + "/");
  browser->run(
      "const choice = document.getElementById('window'); choice.value = '5';"
      "choice.dispatchEvent(new Event('change'))");
  waiter.waitUntil(end);
  browser->resizeToPage(1440);
  std::ofstream out(file, std::ios::binary);
  out << browser->screenshot();
  out.close();
  if (!out) {
    throw std::runtime_error("cannot write " + file);
  }
  tier.end();
}

}  // namespace

int main(int argc, char** argv) {
  std::string file;
  int seconds = 200;
  std::string scheme = "light";
  CLI::App app("Takes the picture of docs/dashboard.md: the page of a tier that jobs read through",
               "dashboard_picture");
  app.add_option("FILE", file, "where the PNG goes")->required();
  app.add_option("--seconds", seconds, "how long jobs read before")
      ->check(CLI::Range(10, 3600))
      ->capture_default_str();
  app.add_option("--scheme", scheme, "light or dark")
      ->check(CLI::IsMember({"light", "dark"}))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    takePicture(file, std::chrono::seconds(seconds), scheme);
  } catch (const std::exception& fault) {
    fmt::print(stderr, "dashboard_picture: {}\n", fault.what());
    return 1;
  }
  return 0;
}
