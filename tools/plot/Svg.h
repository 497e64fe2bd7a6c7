#pragma once

#include <string>
#include <vector>

namespace shift::tools {

/** Bars in groups, as the paper draws its figures. Heights are data, labels are text. */
struct BarChart {
  struct Group {
    std::string name;
    std::vector<double> heights;  // one per series
  };
  std::string title;
  std::string yLabel;
  std::vector<std::string> series;
  std::vector<Group> groups;
};

/** Lines over a common x axis. */
struct LineChart {
  struct Line {
    std::string name;
    std::vector<std::pair<double, double>> points;
  };
  std::string title;
  std::string xLabel;
  std::string yLabel;
  std::vector<Line> lines;
};

std::string toSvg(const BarChart& chart);
std::string toSvg(const LineChart& chart);

}  // namespace shift::tools
