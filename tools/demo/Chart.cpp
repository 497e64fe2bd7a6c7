#include "tools/demo/Chart.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "common/ReplaceFile.h"
#include "tools/plot/Svg.h"

namespace shift::demo {
namespace {

/** What tells a chart of the tour from somebody's picture of the same name. */
constexpr const char* kMark = "<!-- a chart of shift-demo, which writes over it -->\n";

bool isChart(const std::string& path) {
  if (std::error_code fault; !std::filesystem::is_regular_file(path, fault)) {
    return false;
  }
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return content.ends_with(kMark);
}

double percentOf(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

}  // namespace

std::string chartOf(const Findings& findings) {
  tools::BarChart chart{.title = "Synchronized in small: each policy's share of what the jobs read",
                        .yLabel = "percent; job time: of that without a cache",
                        .series = {findings.noCache.policy},
                        .groups = {{"absorbed, side by side", {0}},
                                   {"absorbed", {0}},
                                   {"from disks", {}},
                                   {"flash writes", {0}},
                                   {"mean job time", {}}}};
  const auto read = static_cast<double>(findings.bytesRead);
  const auto without = static_cast<double>(findings.noCache.meanJobTime().count());
  for (const ArmFinding& arm : findings.sideBySide) {
    chart.series.push_back(arm.policy);
    chart.groups[0].heights.push_back(100 * arm.work.absorbedShare());
  }
  const auto addRun = [&](const RunFinding& run) {
    chart.groups[2].heights.push_back(percentOf(static_cast<double>(run.diskBytes), read));
    chart.groups[4].heights.push_back(percentOf(static_cast<double>(run.meanJobTime().count()), without));
  };
  addRun(findings.noCache);
  for (const RunFinding& run : findings.runs) {
    chart.groups[1].heights.push_back(100 * run.work.absorbedShare());
    chart.groups[3].heights.push_back(percentOf(static_cast<double>(run.work.flashBytes), read));
    addRun(run);
  }
  return tools::toSvg(chart) + kMark;
}

Status checkChartFile(const std::string& path) {
  if (std::error_code fault; std::filesystem::exists(path, fault) && !isChart(path)) {
    return Error{ErrorCode::kAlreadyExists,
                 path + " is there and is no chart of the demo; --plot FILE names another place"};
  }
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string directory = parent.empty() ? "." : parent.string();
  if (::access(directory.c_str(), W_OK | X_OK) != 0) {
    Error error = Error::fromErrno(errno, "the chart cannot be put into " + directory);
    error.message += "; --plot FILE names another place";
    return error;
  }
  return {};
}

Status writeChart(const std::string& path, const Findings& findings) {
  return replaceFile(path, chartOf(findings));
}

}  // namespace shift::demo
