#include "tools/plot/Svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

namespace shift::tools {

namespace {

constexpr double kWidth = 900;
constexpr double kHeight = 420;
constexpr double kLeft = 70;
constexpr double kTop = 50;
constexpr double kRight = 170;  // for the legend
constexpr double kBottom = 60;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kPlotHeight = kHeight - kTop - kBottom;
// Told apart by readers who see colours differently (Okabe and Ito).
constexpr std::array<std::string_view, 8> kColours = {"#999999", "#000000", "#E69F00", "#56B4E9",
                                                      "#009E73", "#D55E00", "#CC79A7", "#0072B2"};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '<':
        result += "&lt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

/** The next of 1, 2, 5, 10, 20, 50 … that is not below `value`. */
double roundUp(double value) {
  if (value <= 0) {
    return 1;
  }
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0, 10.0}) {
    if (value <= step * power) {
      return step * power;
    }
  }
  return 10 * power;
}

class Canvas {
 public:
  Canvas(std::string_view title, std::string_view yLabel, double yMax) : yMax_(roundUp(yMax)) {
    fmt::format_to(
        std::back_inserter(text_),
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kWidth, kHeight);
    label(kWidth / 2, 24, "middle", title, 16);
    fmt::format_to(std::back_inserter(text_),
                   "<text transform=\"translate(18 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                   kTop + kPlotHeight / 2, escaped(yLabel));
    for (int i = 0; i <= 5; ++i) {
      const double value = yMax_ * i / 5;
      fmt::format_to(std::back_inserter(text_),
                     "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>\n", kLeft,
                     kLeft + kPlotWidth, y(value), y(value));
      label(kLeft - 6, y(value) + 4, "end", fmt::format("{:g}", value));
    }
  }

  double y(double value) const { return kTop + kPlotHeight * (1 - std::clamp(value / yMax_, 0.0, 1.0)); }

  void label(double x, double at, std::string_view anchor, std::string_view words, int size = 12) {
    fmt::format_to(std::back_inserter(text_),
                   "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\">{}</text>\n", x, at,
                   anchor, size, escaped(words));
  }
  void bar(double x, double width, double value, std::string_view colour) {
    fmt::format_to(std::back_inserter(text_),
                   "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x,
                   y(value), width, kTop + kPlotHeight - y(value), colour);
  }
  void line(const std::vector<std::pair<double, double>>& pixels, std::string_view colour) {
    text_ += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\" points=\"", colour);
    for (const auto& [x, at] : pixels) {
      fmt::format_to(std::back_inserter(text_), "{:.1f},{:.1f} ", x, at);
    }
    text_ += "\"/>\n";
  }
  void legend(std::size_t index, std::string_view name) {
    const double at = kTop + 18.0 * static_cast<double>(index);
    fmt::format_to(std::back_inserter(text_),
                   "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{}\"/>\n", kWidth - kRight + 16,
                   at, kColours[index % kColours.size()]);
    label(kWidth - kRight + 34, at + 11, "start", name);
  }
  std::string finish() { return text_ + "</svg>\n"; }

 private:
  double yMax_;
  std::string text_;
};

}  // namespace

std::string toSvg(const BarChart& chart) {
  double highest = 0;
  for (const BarChart::Group& group : chart.groups) {
    for (const double height : group.heights) {
      highest = std::max(highest, height);
    }
  }
  Canvas canvas(chart.title, chart.yLabel, highest);
  const double groupWidth = kPlotWidth / static_cast<double>(std::max<std::size_t>(1, chart.groups.size()));
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    const double left = kLeft + groupWidth * static_cast<double>(g);
    const std::vector<double>& heights = chart.groups[g].heights;
    const double width = groupWidth * 0.8 / static_cast<double>(std::max<std::size_t>(1, heights.size()));
    for (std::size_t i = 0; i < heights.size(); ++i) {
      canvas.bar(left + groupWidth * 0.1 + width * static_cast<double>(i), width * 0.92, heights[i],
                 kColours[i % kColours.size()]);
    }
    canvas.label(left + groupWidth / 2, kTop + kPlotHeight + 20, "middle", chart.groups[g].name);
  }
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    canvas.legend(i, chart.series[i]);
  }
  return canvas.finish();
}

std::string toSvg(const LineChart& chart) {
  double xMax = 0;
  double yMax = 0;
  for (const LineChart::Line& line : chart.lines) {
    for (const auto& [x, y] : line.points) {
      xMax = std::max(xMax, x);
      yMax = std::max(yMax, y);
    }
  }
  xMax = xMax > 0 ? xMax : 1;
  Canvas canvas(chart.title, chart.yLabel, yMax);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    std::vector<std::pair<double, double>> pixels;
    for (const auto& [x, y] : chart.lines[i].points) {
      pixels.emplace_back(kLeft + kPlotWidth * x / xMax, canvas.y(y));
    }
    canvas.line(pixels, kColours[i % kColours.size()]);
    canvas.legend(i, chart.lines[i].name);
  }
  canvas.label(kLeft, kTop + kPlotHeight + 18, "start", "0");
  canvas.label(kLeft + kPlotWidth, kTop + kPlotHeight + 18, "end", fmt::format("{:g}", xMax));
  canvas.label(kLeft + kPlotWidth / 2, kTop + kPlotHeight + 36, "middle", chart.xLabel);
  return canvas.finish();
}

}  // namespace shift::tools
