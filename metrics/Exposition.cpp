#include "metrics/Exposition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace shift::metrics {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
/** Below it a double holds every whole number. */
constexpr double kExact = 1LL << 53;

/** How many bytes a character has that begins so; 0 if none does. */
std::size_t lengthOf(unsigned char first) {
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xC2 && first <= 0xDF) {
    return 2;
  }
  if (first >= 0xE0 && first <= 0xEF) {
    return 3;
  }
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

/** The length of the well-formed character that the text begins with; 0 if it begins with none. */
std::size_t characterAt(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = lengthOf(byte(0));
  if (length == 0 || length > text.size()) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return 0;
    }
  }
  // Too long for what it says, half of a pair, or beyond the last character there is.
  const bool isWrong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) > 0x9F) ||
                       (byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) > 0x8F);
  return isWrong ? 0 : length;
}

/** Appends a text, with what has a meaning in the format escaped. */
void appendEscaped(std::string& out, std::string_view text, bool quotes) {
  for (const char character : text) {
    if (character == '\\') {
      out += "\\\\";
    } else if (character == '\n') {
      out += "\\n";
    } else if (character == '"' && quotes) {
      out += "\\\"";
    } else {
      out += character;
    }
  }
}

void appendNumber(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value > 0 ? "+Inf" : "-Inf";
  } else if (std::abs(value) < kExact && value == std::trunc(value)) {
    fmt::format_to(std::back_inserter(out), "{}", static_cast<std::int64_t>(value));  // a tenth of the time
  } else {
    fmt::format_to(std::back_inserter(out), "{}", value);
  }
}

double inSeconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/** One line, `suffix` being "_bucket" or the like. */
void appendLine(std::string& out, std::string_view name, std::string_view suffix, std::string_view labels,
                double value) {
  out += name;
  out += suffix;
  if (!labels.empty()) {
    out += '{';
    out += labels;
    out += '}';
  }
  out += ' ';
  appendNumber(out, value);
  out += '\n';
}

void appendHistogram(std::string& out, std::string_view name, const std::string& labels,
                     const LatencyHistogram::Counts& counts) {
  const std::string before = labels.empty() ? "" : labels + ",";
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts.each.size(); ++i) {
    sum += counts.each[i];
    std::string limit = before + "le=\"";
    appendNumber(limit, i < LatencyHistogram::kLimits.size() ? inSeconds(LatencyHistogram::kLimits[i])
                                                             : std::numeric_limits<double>::infinity());
    appendLine(out, name, "_bucket", limit + '"', static_cast<double>(sum));
  }
  appendLine(out, name, "_sum", labels, inSeconds(counts.sum));
  appendLine(out, name, "_count", labels, static_cast<double>(sum));
}

const char* nameOf(Kind kind) {
  switch (kind) {
    case Kind::kCounter:
      return "counter";
    case Kind::kGauge:
      return "gauge";
    case Kind::kHistogram:
      return "histogram";
  }
  return "untyped";
}

}  // namespace

std::string written(const Labels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    out += out.empty() ? "" : ",";
    out += name;
    out += "=\"";
    appendEscaped(out, validUtf8(value), true);
    out += '"';
  }
  return out;
}

std::string validUtf8(std::string_view text) {
  const auto isAscii = [](char character) { return static_cast<unsigned char>(character) < 0x80; };
  if (std::all_of(text.begin(), text.end(), isAscii)) {
    return std::string(text);
  }
  std::string out;
  while (!text.empty()) {
    const std::size_t length = characterAt(text);
    out += length > 0 ? text.substr(0, length) : kReplacement;
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

void Family::add(const Labels& labels, const LatencyHistogram::Counts& counts) {
  LatencyHistogram::Counts& known = histograms_[written(labels)];
  for (std::size_t i = 0; i < counts.each.size(); ++i) {
    known.each[i] += counts.each[i];
  }
  known.sum += counts.sum;
}

void Family::write(std::string_view name, std::string& out) {
  fmt::format_to(std::back_inserter(out), "# HELP {} ", name);
  appendEscaped(out, help_, false);
  fmt::format_to(std::back_inserter(out), "\n# TYPE {} {}\n", name, nameOf(kind_));
  std::sort(values_.begin(), values_.end());
  for (std::size_t i = 0; i < values_.size();) {
    const std::string& labels = values_[i].first;
    double sum = 0;
    for (; i < values_.size() && values_[i].first == labels; ++i) {
      sum += values_[i].second;
    }
    appendLine(out, name, "", labels, sum);
  }
  for (const auto& [labels, counts] : histograms_) {
    appendHistogram(out, name, labels, counts);
  }
}

Family& Exposition::family(std::string_view name, std::string_view help, Kind kind) {
  const auto known = families_.find(name);
  return known != families_.end() ? known->second
                                  : families_.try_emplace(std::string(name), help, kind).first->second;
}

std::string Exposition::text() {
  std::string out;
  for (auto& [name, family] : families_) {
    family.write(name, out);
  }
  return out;
}

}  // namespace shift::metrics
