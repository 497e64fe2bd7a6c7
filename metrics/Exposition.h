#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "common/Counters.h"

namespace shift::metrics {

enum class Kind { kCounter, kGauge, kHistogram };

/**
 * The numbers of one moment in Prometheus' text format: families in the order of their names, each once, with
 * its help and type; series in the order of their labels, each once. Label values may hold anything: what has
 * a meaning in the format is escaped, what is not UTF-8 is replaced. Where two series come out with the same
 * labels (names that differ only in what was replaced) their values are added up. Not thread-safe: one is
 * made for each scrape.
 */
class Exposition {
 public:
  /** `name` in full, such as shift_node_backing_reads_total. The first help and kind of a family stay. */
  void add(std::string_view name, std::string_view help, Kind kind, const Labels& labels, double value);
  void addHistogram(std::string_view name, std::string_view help, const Labels& labels,
                    const LatencyHistogram::Counts& counts);

  std::string text() const;

 private:
  struct Family {
    std::string help;
    Kind kind = Kind::kGauge;
    std::map<std::string, double> values;                        // by labels, as they are written
    std::map<std::string, LatencyHistogram::Counts> histograms;  // the same
  };

  Family& family(std::string_view name, std::string_view help, Kind kind);

  std::map<std::string, Family, std::less<>> families_;
};

/** `text` with every byte that is not part of well-formed UTF-8 replaced by U+FFFD. */
std::string validUtf8(std::string_view text);

}  // namespace shift::metrics
