#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shift::bench {

/** The middle value; the mean of the two in the middle for an even number; 0 for none. */
double median(std::vector<double> values);

/** What a result must reach. A row without a goal only informs. */
struct Goal {
  enum class Kind { kAtLeast, kAtMost };
  Kind kind = Kind::kAtLeast;
  double limit = 0;

  static Goal atLeast(double limit) { return {Kind::kAtLeast, limit}; }
  static Goal atMost(double limit) { return {Kind::kAtMost, limit}; }
  bool holdsFor(double value) const { return kind == Kind::kAtLeast ? value >= limit : value <= limit; }
};

/** One line of a report. */
struct BenchRow {
  std::string name;
  double value = 0;
  std::string unit;
  std::string against;              // who was measured beside us; empty: nobody
  std::optional<double> peerValue;  // in the same unit
  std::optional<double> ratio;      // value / peerValue
  std::optional<Goal> goal;         // for the ratio if there is one, else for the value
};

/**
 * The results of one benchmark program, told as they come: a table for people or, with --json, one object a
 * line with the keys name, value, unit, against, peer_value, ratio, goal, holds. `goal` is text such as
 * ">= 0.9"; what a row does not have is null. Not thread-safe.
 */
class BenchReport {
 public:
  /** Takes --json out of the arguments and leaves the rest to the program. */
  BenchReport(int& argc, char** argv);

  /** Medians of values that were measured in turn with a peer's. The goal is for ours / theirs. */
  void compare(std::string_view name, std::string_view unit, const std::vector<double>& ours,
               std::string_view against, const std::vector<double>& theirs,
               std::optional<Goal> goal = std::nullopt);

  /** The median of values that stand for themselves. */
  void measure(std::string_view name, std::string_view unit, const std::vector<double>& values,
               std::optional<Goal> goal = std::nullopt);

  const std::vector<BenchRow>& rows() const { return rows_; }

 private:
  void add(BenchRow row);

  bool isJson_ = false;
  std::vector<BenchRow> rows_;
};

/** The row as one JSON object, without a line end. */
std::string toJson(const BenchRow& row);

}  // namespace shift::bench
