#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/Result.h"

namespace shift::gms {

/** The keys and values in a Hive-style directory, outermost first: ds=2026-11-01/hour=03. */
using PartitionKeys = std::vector<std::pair<std::string, std::string>>;

/** The value, if it is a whole number and nothing else. */
std::optional<std::int64_t> wholeNumber(std::string_view text);

/**
 * How two values stand to each other: below 0, 0, above 0. As numbers where both are whole numbers (hour=3
 * comes before hour=10), else as text, which is right for dates.
 */
int compareValues(std::string_view a, std::string_view b);

/**
 * A condition on the keys of a partition: comparisons joined by "and", such as `ds>=2026-10-01 and hour<12`.
 * Operators: = != < <= > >=. A value may stand in single or double quotes. Immutable.
 */
class Predicate {
 public:
  /** The error says what is wrong, and where. */
  static Result<Predicate> parse(std::string_view text);

  /** A partition without one of the keys does not match. */
  bool matches(const PartitionKeys& keys) const;

 private:
  struct Comparison {
    std::string key;
    std::string comparison;
    std::string value;
  };
  class Parser;

  std::vector<Comparison> comparisons_;  // all must hold
};

}  // namespace shift::gms
