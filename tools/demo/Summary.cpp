#include "tools/demo/Summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "common/ByteSize.h"
#include "tools/text/Table.h"

namespace shift::demo {
namespace {

/** Values nearer to each other than this share of the larger are called equal. */
constexpr double kTie = 0.02;

struct Ranked {
  std::string name;
  double value = 0;
};

std::string size(double bytes) {
  return formatByteSize(bytes);
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string ratio(double value) {
  return std::isfinite(value) ? fmt::format("{:.2f}", value) : "-";
}

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/** "a > b = c": from the first by `comesFirst`, which `sign` stands for, to the last. */
std::string inOrder(std::vector<Ranked> all, const std::function<bool(double, double)>& comesFirst,
                    const char* sign) {
  std::ranges::stable_sort(all, comesFirst, &Ranked::value);
  std::string text = all.front().name;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const double larger = std::max(std::abs(all[i - 1].value), std::abs(all[i].value));
    const bool isTie = std::abs(all[i - 1].value - all[i].value) < kTie * larger;
    text += fmt::format(" {} {}", isTie ? "=" : sign, all[i].name);
  }
  return text;
}

const ArmFinding* armOf(const std::vector<ArmFinding>& arms, const std::string& policy) {
  const auto found = std::ranges::find(arms, policy, &ArmFinding::policy);
  return found == arms.end() ? nullptr : &*found;
}

}  // namespace

std::string sideBySideTable(const std::vector<ArmFinding>& arms) {
  tools::Table table(
      {"policy", "asked for", "absorbed", "share", "from disks", "flash writes", "per absorbed byte"});
  for (const auto& [policy, work] : arms) {
    table.row({policy, size(static_cast<double>(work.requestedBytes)), size(work.absorbedBytes()),
               percent(work.absorbedShare()), size(static_cast<double>(work.diskBytes())),
               size(static_cast<double>(work.flashBytes)), ratio(work.writesPerAbsorbedByte())});
  }
  return table.str();
}

std::string runsTable(const RunFinding& noCache, const std::vector<RunFinding>& runs) {
  tools::Table table({"policy", "mean job", "longest job", "speed-up", "absorbed", "share", "from disks",
                      "flash writes", "per absorbed byte"});
  const auto addRow = [&](const RunFinding& run, bool hasNodes) {
    const auto ofNodes = [&](const std::string& text) { return hasNodes ? text : "-"; };
    table.row({run.policy, fmt::format("{:.1f} s", seconds(run.meanJobTime())),
               fmt::format("{:.1f} s", seconds(run.longestJobTime())),
               fmt::format("{:.2f} x", seconds(noCache.meanJobTime()) / seconds(run.meanJobTime())),
               ofNodes(size(run.work.absorbedBytes())), ofNodes(percent(run.work.absorbedShare())),
               size(static_cast<double>(run.diskBytes)),
               ofNodes(size(static_cast<double>(run.work.flashBytes))),
               ofNodes(ratio(run.work.writesPerAbsorbedByte()))});
  };
  addRow(noCache, false);
  for (const RunFinding& run : runs) {
    addRow(run, true);
  }
  return table.str();
}

std::string ranking(const Findings& findings) {
  std::vector<Ranked> shares;
  for (const ArmFinding& arm : findings.sideBySide) {
    shares.push_back({arm.policy, arm.work.absorbedShare()});
  }
  std::vector<Ranked> sharesOfRuns;
  std::vector<Ranked> times{{findings.noCache.policy, seconds(findings.noCache.meanJobTime())}};
  for (const RunFinding& run : findings.runs) {
    sharesOfRuns.push_back({run.policy, run.work.absorbedShare()});
    times.push_back({run.policy, seconds(run.meanJobTime())});
  }
  return fmt::format(
      "Share absorbed, side by side:    {}\n"
      "Share absorbed, runs of its own: {}\n"
      "Mean job time:                   {}\n",
      inOrder(shares, std::greater<>(), ">"), inOrder(sharesOfRuns, std::greater<>(), ">"),
      inOrder(times, std::less<>(), "<"));
}

std::string conclusion(const Findings& findings) {
  const ArmFinding& best = *std::ranges::max_element(
      findings.sideBySide, {}, [](const ArmFinding& arm) { return arm.work.absorbedShare(); });
  std::string text = fmt::format("Side by side, {} absorbed most: {} of what it was asked for", best.policy,
                                 percent(best.work.absorbedShare()));
  const ArmFinding* const lru = armOf(findings.sideBySide, "LRU");
  if (lru != nullptr && lru != &best && lru->work.absorbedShare() > 0) {
    text +=
        fmt::format(", {:.1f} times LRU's {}, with {} of flash written per absorbed byte instead of {}",
                    best.work.absorbedShare() / lru->work.absorbedShare(), percent(lru->work.absorbedShare()),
                    ratio(best.work.writesPerAbsorbedByte()), ratio(lru->work.writesPerAbsorbedByte()));
  }
  const RunFinding& fastest =
      *std::ranges::min_element(findings.runs, {}, [](const RunFinding& run) { return run.meanJobTime(); });
  const double took = seconds(fastest.meanJobTime());
  const double without = seconds(findings.noCache.meanJobTime());
  text +=
      took < without
          ? fmt::format(
                ".\nJobs were fastest with {} on all nodes: {:.1f} s on average, against {:.1f} s without "
                "a cache.",
                fastest.policy, took, without)
          : fmt::format(".\nNo policy made the jobs faster than the {:.1f} s that they took without a cache.",
                        without);
  return text + "\n";
}

}  // namespace shift::demo
