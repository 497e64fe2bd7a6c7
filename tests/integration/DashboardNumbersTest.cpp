#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <map>
#include <regex>

#include "tests/integration/DashboardFixture.h"

namespace shift {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::array<const char*, 6> kUnits = {"B", "kB", "MB", "GB", "TB", "PB"};

/** The page's way to write numbers, once more: what is compared with it must not come from it. */
std::string inBytes(double value) {
  std::size_t unit = 0;
  for (; std::abs(value) >= 1000 && unit + 1 < kUnits.size(); ++unit) {
    value /= 1000;
  }
  return unit == 0 ? fmt::format("{:.0f} B", value) : fmt::format("{:.1f} {}", value, kUnits.at(unit));
}
std::string perSecond(double bytes, double seconds) {
  return seconds > 0 ? inBytes(bytes / seconds) + "/s" : "–";
}
std::string share(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "–";
}
double number(const json& object, const char* field) {
  return object.at(field).get<double>();
}
double written(const json& activity) {
  return number(activity, "written_admitted_bytes") + number(activity, "written_reinserted_bytes") +
         number(activity, "written_metadata_bytes");
}

/** A chart as whoever looks at it reads it: by its grid and the labels at it. */
struct Chart {
  explicit Chart(json what) : seen(std::move(what)) {}

  /** What a height stands for. */
  double valueAt(double y) const {
    const json& bottom = seen.at("grid").front();
    const json& top = seen.at("grid").back();
    const double rise = (y - number(bottom, "y")) / (number(top, "y") - number(bottom, "y"));
    return labelled(bottom) + rise * (labelled(top) - labelled(bottom));
  }
  /** As fine as a tenth of a pixel, which is how fine the page draws. */
  double fineness() const { return 1.01 * std::abs(valueAt(0.1) - valueAt(0)); }
  /** The share of the chart's width that lies left of a place. */
  double along(double x) const {
    const json& line = seen.at("grid").front();
    return (x - number(line, "left")) / (number(line, "right") - number(line, "left"));
  }
  /** The corners of a line, from left to right. */
  std::vector<std::pair<double, double>> points(std::size_t series) const {
    std::vector<std::pair<double, double>> found;
    const std::string words = seen.at("lines").at(series);
    const std::regex corner(R"([ML](\S+) ([^ML]+))");
    for (std::sregex_iterator it(words.begin(), words.end(), corner); it != std::sregex_iterator(); ++it) {
      found.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
    }
    return found;
  }

  static double labelled(const json& line) {
    const std::string label = line.at("label");
    const std::string unit = label.substr(label.find(' ') + 1);
    double value = std::stod(label);
    for (const char* const known : kUnits) {
      if (unit == std::string(known) + "/s") {
        return value;
      }
      value *= 1000;
    }
    ADD_FAILURE() << "no rate: " << label;
    return 0;
  }

  json seen;
};

constexpr const char* kChart = R"(
  const place = document.getElementById(id);
  const labels = [...place.querySelectorAll("svg[role] text")].map((found) => found.textContent);
  const y = (found) => Number(found.getAttribute("y1"));
  return {
    told,
    legend: [...place.querySelectorAll(".legend li")].map((found) => found.textContent.trim()),
    grid: [...place.querySelectorAll(".grid")].map((found, i) => ({ y: y(found), label: labels[i],
      left: Number(found.getAttribute("x1")), right: Number(found.getAttribute("x2")) })),
    lines: [...place.querySelectorAll("path")].map((found) => found.getAttribute("d")),
    limits: [...place.querySelectorAll("svg[role] .limit")].map(y),
  };)";

class DashboardNumbersTest : public test::DashboardFixture {
 protected:
  /** A node with flash whose file is read twice; then writes get a limit. */
  void readTwiceThroughFlash() {
    addFile("clicks/part-0", 4 << 20, 1);
    startTier(1, {"cache.flash_files=" + directory_ / "flash", "cache.flash=64MiB"});
    read("clicks/part-0");
    read("clicks/part-0");
    setParameter("node-1", "policy.write_limit", "8000000");
  }

  Chart chart(const std::string& id) { return Chart(runWithTold("const id = '" + id + "';" + kChart)); }

  /** Each line of a chart runs through the history that the page was told, and its legend says the last of
   * it. */
  static void expectPlotted(const Chart& chart, const std::vector<std::function<double(const json&)>>& lines,
                            double minutes) {
    std::map<std::int64_t, json> history;
    for (const json& told : chart.seen.at("told")) {
      for (const json& step : told.at("history")) {
        history.insert_or_assign(step.at("at_ms"), step);
      }
    }
    const json& last = chart.seen.at("told").back();
    const double stepSeconds = number(last, "step_ms") / 1000;
    const double windowMs = minutes * 60'000;
    const double fromMs = number(last, "now_ms") - windowMs;
    std::erase_if(history, [&](const auto& step) { return static_cast<double>(step.first) < fromMs; });
    ASSERT_FALSE(history.empty());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto points = chart.points(i);
      ASSERT_EQ(points.size(), history.size());
      auto step = history.begin();
      for (const auto& [x, y] : points) {
        EXPECT_NEAR(fromMs + chart.along(x) * windowMs, static_cast<double>(step->first), windowMs / 1000);
        EXPECT_NEAR(chart.valueAt(y), lines[i](step->second) / stepSeconds, chart.fineness());
        ++step;
      }
      EXPECT_THAT(chart.seen.at("legend").at(i).get<std::string>(),
                  HasSubstr(": " + perSecond(lines[i](history.rbegin()->second), stepSeconds)));
    }
  }
};

TEST_F(DashboardNumbersTest, AreWrittenAsPeopleReadThem) {
  startCluster(1);
  openPage();
  EXPECT_EQ(browser_->run(R"(return import(location.origin + "/dashboard/format.js").then((format) => [
              format.bytes(0), format.bytes(999), format.bytes(12345678), format.bytes(-1500),
              format.rate(3e9, 2), format.rate(1, 0), format.percent(1, 3), format.percent(1, 0),
              format.span(40), format.span(119), format.span(120), format.span(11520)]))"),
            json({"0 B", "999 B", "12.3 MB", "-1.5 kB", "1.5 GB/s", "–", "33.3 %", "–", "40 s", "119 s",
                  "2.0 min", "3.2 h"}));
}

TEST_F(DashboardNumbersTest, TilesShowTheSumsOfTheTier) {
  readTwiceThroughFlash();
  openPage();
  await("both reads, the limit, and what was written of them", [&] {
    return runWithTold(
               R"(const { last_hour: hour, write_limit_bytes_per_second: limit } = told.at(-1)?.sums ?? {};
      return hour?.served_bytes === 8 << 20 && hour.written_admitted_bytes >= 4 << 20 && limit === 8e6;)") ==
           true;
  });
  const json seen = runWithTold(R"(
    const tiles = [...document.querySelectorAll(".tile")];
    return { sums: told.at(-1).sums, tiles: Object.fromEntries(tiles.map((tile) =>
      [tile.id, [...tile.children].map((part) => part.textContent)])) };)");
  const json& minute = seen.at("sums").at("last_minute");
  const json& hour = seen.at("sums").at("last_hour");
  const double found = number(hour, "dram_hits") + number(hour, "flash_hits");
  const json expected = {
      {"absorbed-now",
       {"absorbed IO, last minute", perSecond(number(minute, "absorbed_bytes"), number(minute, "seconds"))}},
      {"absorbed-hour",
       {"absorbed IO, last hour", perSecond(number(hour, "absorbed_bytes"), number(hour, "seconds"))}},
      {"absorbed-share", {"absorbed of what was asked for", "50.0 %"}},
      {"fetched-now",
       {"backing reads, last minute", perSecond(number(minute, "fetched_bytes"), number(minute, "seconds"))}},
      {"hits", {"segments found, last hour", share(found, found + number(hour, "segment_misses"))}},
      {"writes", {"flash writes, limit 8.0 MB/s", perSecond(written(minute), number(minute, "seconds"))}}};
  EXPECT_EQ(seen.at("tiles"), expected);

  const json sums = state().at("sums");
  for (const auto& [field, value] :
       {std::pair("requested_bytes", 8 << 20), std::pair("served_bytes", 8 << 20),
        std::pair("fetched_bytes", 4 << 20)}) {
    EXPECT_EQ(hour.at(field), value) << field;
    EXPECT_EQ(sums.at("last_hour").at(field), value) << field;
  }
}

TEST_F(DashboardNumbersTest, ChartsPlotTheHistory) {
  readTwiceThroughFlash();
  openPage();
  await("both reads in the history, and the limit", [&] {
    return runWithTold(R"(const steps = new Map(told.flatMap((one) => one.history).map((step) =>
      [step.at_ms, step.served_bytes]));
      return [...steps.values()].reduce((sum, served) => sum + served, 0) >= (8 << 20) - 8 &&
        told.at(-1).sums.write_limit_bytes_per_second === 8e6;)") == true;
  });
  const auto absorbed = [](const json& step) {
    return number(step, "served_bytes") - number(step, "fetched_bytes");
  };
  const auto amount = [](const char* field) {
    return [field](const json& step) { return number(step, field); };
  };
  for (const int minutes : {60, 5}) {
    browser_->run(
        "const choice = document.getElementById('window'); choice.value = arguments[0];"
        "choice.dispatchEvent(new Event('change'))",
        {std::to_string(minutes)});
    expectPlotted(chart("io-chart"), {absorbed, amount("fetched_bytes"), amount("requested_bytes")}, minutes);
    const Chart writes = chart("write-chart");
    expectPlotted(writes, {amount("written_bytes")}, minutes);
    ASSERT_EQ(writes.seen.at("limits").size(), 1U);
    EXPECT_NEAR(writes.valueAt(writes.seen.at("limits").front()), 8e6, writes.fineness());
  }
}

TEST_F(DashboardNumbersTest, NodesAreShownWithTheirShareOfTheRing) {
  addFile("clicks/part-0", 8 << 20, 1);
  startTier(3);
  read("clicks/part-0");
  read("clicks/part-0");
  openPage();
  await("all that was read",
        [&] { return runWithTold("return told.at(-1)?.sums.last_hour.served_bytes") == 16 << 20; });
  const json seen = runWithTold(R"(
    return { nodes: told.at(-1).nodes,
      rows: [...document.querySelectorAll("#nodes tbody tr")].map((row) =>
        [...row.cells].map((cell) => cell.textContent)),
      filled: [...document.querySelectorAll("#nodes .done")].map((bar) => bar.width.baseVal.value /
        bar.ownerSVGElement.width.baseVal.value),
      marks: [...document.querySelectorAll("#nodes .limit")].map((mark) => mark.x1.baseVal.value /
        mark.ownerSVGElement.width.baseVal.value) };)");
  ASSERT_EQ(seen.at("nodes").size(), 3U);
  double whole = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const json& node = seen.at("nodes").at(i);
    const json& status = node.at("status");
    const json& minute = status.at("last_minute");
    const json expected = {
        node.at("id"),
        "answers",
        "historic",
        share(number(node, "share"), 1),
        "",
        perSecond(number(minute, "absorbed_bytes"), number(minute, "seconds")),
        inBytes(number(status.at("since_start"), "absorbed_bytes")),
        share(number(status.at("last_hour"), "hits"), number(status.at("last_hour"), "requests")),
        perSecond(written(minute), number(minute, "seconds")),
        fmt::format("{:.2f}", number(status, "admit_threshold")),
        inBytes(number(status, "used_bytes")) + " of " + inBytes(number(status, "capacity_bytes"))};
    EXPECT_EQ(seen.at("rows").at(i), expected);
    // The mark is an equal share, and lies in the middle: the bar is full at twice that.
    EXPECT_NEAR(seen.at("filled").at(i), std::min(1.0, number(node, "share") * 3 / 2), 1e-3);
    EXPECT_NEAR(seen.at("marks").at(i), 0.5, 1e-3);
    whole += number(node, "share");
  }
  EXPECT_NEAR(whole, 1, 1e-9);
}

TEST_F(DashboardNumbersTest, ArmsAreComparedByWhatEachWasAskedFor) {
  addFile("clicks/part-0", 16 << 20, 1);
  startTier(2);
  setParameter("node-2", "policy.name", "hybrid");
  setParameter("node-1", "policy.arm", "a");
  setParameter("node-2", "policy.arm", "b");
  openPage();
  await("both arms", [&] { return runWithTold("return Object.keys(told.at(-1)?.arms ?? {}).length") == 2; });
  read("clicks/part-0");
  read("clicks/part-0");
  await("all that was asked for", [&] {
    return runWithTold(
               "return Object.values(told.at(-1).arms)"
               ".reduce((sum, arm) => sum + arm.activity.requested_bytes, 0)") == 32 << 20;
  });
  const json seen = runWithTold(R"(
    return { arms: told.at(-1).arms, rows: Object.fromEntries(
      [...document.querySelectorAll("#arms tr")].map(({ cells: [head, ...rest] }) =>
        [head.textContent, rest.map((cell) => cell.textContent)])) };)");
  const auto both = [&](const std::function<std::string(const json& arm, const json& activity)>& cell) {
    json row;
    for (const json& arm : seen.at("arms")) {
      row.push_back(cell(arm, arm.at("activity")));
    }
    return row;
  };
  const auto ofBytes = [&](const std::function<double(const json& activity)>& part) {
    return both(
        [&](const json&, const json& did) { return share(part(did), number(did, "requested_bytes")); });
  };
  const auto ofRequests = [&](const char* part) {
    return both(
        [&](const json&, const json& did) { return share(number(did, part), number(did, "requests")); });
  };
  json rows = seen.at("rows");
  rows.erase("for");
  const json expected = {{"", {"arm a", "arm b"}},
                         {"policy", {"historic", "hybrid"}},
                         {"nodes", {"node-1", "node-2"}},
                         {"asked for", both([](const json&, const json& did) {
                            return perSecond(number(did, "requested_bytes"), number(did, "seconds"));
                          })},
                         {"absorbed", ofBytes([](const json& did) { return number(did, "absorbed_bytes"); })},
                         {"hits", ofRequests("hits")},
                         {"refused", ofRequests("refusals")},
                         {"flash written", ofBytes(written)}};
  EXPECT_EQ(rows, expected);
}

TEST_F(DashboardNumbersTest, ASparklineRisesWhereABucketWasServed) {
  addFile("clicks/part-0", 4 << 20, 1);
  startTier(1);
  read("clicks/part-0");
  openPage();
  const auto heights = [&] {
    return runWithTold(R"(return (document.querySelector("#buckets polyline")?.getAttribute("points") ?? "")
      .split(" ").filter((point) => point !== "").map((point) => Number(point.split(",")[1]));)");
  };
  await("two looks at the bucket", [&] { return heights().size() >= 2; });
  const json quiet = heights();
  EXPECT_THAT(quiet.get<std::vector<double>>(), testing::Each(quiet.front())) << "nothing was served since";
  read("clicks/part-0");
  await("a rise", [&] { return heights().back() < quiet.front(); });
}

}  // namespace
}  // namespace shift
