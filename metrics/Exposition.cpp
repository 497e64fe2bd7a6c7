#include "metrics/Exposition.h"

#include <fmt/format.h>

#include <cmath>

namespace shift::metrics {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

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

std::string escaped(std::string_view text, bool quotes) {
  std::string out;
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
  return out;
}

/** `a="1",b="2"`, without braces. */
std::string written(const Labels& labels) {
  std::string out;
  for (const auto& [name, value] : labels) {
    out += fmt::format("{}{}=\"{}\"", out.empty() ? "" : ",", name, escaped(validUtf8(value), true));
  }
  return out;
}

std::string written(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0 ? "+Inf" : "-Inf";
  }
  return fmt::format("{}", value);
}

double inSeconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::string line(std::string_view name, std::string_view labels, std::string_view value) {
  return labels.empty() ? fmt::format("{} {}\n", name, value)
                        : fmt::format("{}{{{}}} {}\n", name, labels, value);
}

std::string linesOf(std::string_view name, const std::string& labels,
                    const LatencyHistogram::Counts& counts) {
  std::string out;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts.each.size(); ++i) {
    sum += counts.each[i];
    const std::string limit =
        i < LatencyHistogram::kLimits.size() ? written(inSeconds(LatencyHistogram::kLimits[i])) : "+Inf";
    out += line(fmt::format("{}_bucket", name),
                fmt::format("{}{}le=\"{}\"", labels, labels.empty() ? "" : ",", limit), std::to_string(sum));
  }
  out += line(fmt::format("{}_sum", name), labels, written(inSeconds(counts.sum)));
  return out + line(fmt::format("{}_count", name), labels, std::to_string(sum));
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

std::string validUtf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = characterAt(text);
    out += length > 0 ? text.substr(0, length) : kReplacement;
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

void Exposition::add(std::string_view name, std::string_view help, Kind kind, const Labels& labels,
                     double value) {
  family(name, help, kind).values[written(labels)] += value;
}

void Exposition::addHistogram(std::string_view name, std::string_view help, const Labels& labels,
                              const LatencyHistogram::Counts& counts) {
  LatencyHistogram::Counts& known = family(name, help, Kind::kHistogram).histograms[written(labels)];
  for (std::size_t i = 0; i < counts.each.size(); ++i) {
    known.each[i] += counts.each[i];
  }
  known.sum += counts.sum;
}

Exposition::Family& Exposition::family(std::string_view name, std::string_view help, Kind kind) {
  const auto [entry, isNew] = families_.try_emplace(std::string(name));
  if (isNew) {
    entry->second.help = help;
    entry->second.kind = kind;
  }
  return entry->second;
}

std::string Exposition::text() const {
  std::string out;
  for (const auto& [name, family] : families_) {
    out += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(family.help, false), name,
                       nameOf(family.kind));
    for (const auto& [labels, value] : family.values) {
      out += line(name, labels, written(value));
    }
    for (const auto& [labels, counts] : family.histograms) {
      out += linesOf(name, labels, counts);
    }
  }
  return out;
}

}  // namespace shift::metrics
