#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/Counters.h"

namespace shift::metrics {

enum class Kind { kCounter, kGauge, kHistogram };

/** Labels as they are written, `a="1",b="2"`. Their values may hold anything: what has a meaning in the
 * format is escaped, what is not UTF-8 is replaced. */
std::string written(const Labels& labels);

/** The series of one name. Where two come out with the same labels (names that differ only in what was
 * replaced) their values are added up. */
class Family {
 public:
  Family(std::string_view help, Kind kind) : help_(help), kind_(kind) {}

  void add(const Labels& labels, double value) { addWritten(written(labels), value); }
  /** The same for labels that were written before: once for all families that they are used in. */
  void addWritten(std::string labels, double value) { values_.emplace_back(std::move(labels), value); }
  void add(const Labels& labels, const LatencyHistogram::Counts& counts);

  /** Appends the whole family, its series in the order of their labels. */
  void write(std::string_view name, std::string& out);

 private:
  const std::string help_;
  const Kind kind_;
  // By labels, as they are written.
  std::vector<std::pair<std::string, double>> values_;
  std::map<std::string, LatencyHistogram::Counts> histograms_;
};

/**
 * The numbers of one moment in Prometheus' text format: families in the order of their names, each once, with
 * its help and type. Not thread-safe: one is made for each scrape.
 */
class Exposition {
 public:
  /** `name` in full, such as shift_node_backing_reads_total. The first help and kind of a family stay. */
  Family& family(std::string_view name, std::string_view help, Kind kind);

  void add(std::string_view name, std::string_view help, Kind kind, const Labels& labels, double value) {
    family(name, help, kind).add(labels, value);
  }

  std::string text();

 private:
  std::map<std::string, Family, std::less<>> families_;
};

/** `text` with every byte that is not part of well-formed UTF-8 replaced by U+FFFD. */
std::string validUtf8(std::string_view text);

}  // namespace shift::metrics
