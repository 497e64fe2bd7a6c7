#pragma once

#include <string>
#include <string_view>

namespace shift::control {

/** What is known of a bucket when its priority is reckoned. */
struct BucketFacts {
  double totalBytes = 0;    // read in the window; what one job reads twice counts once
  double uniqueBytes = 0;   // of these, different ones
  unsigned futureJobs = 0;  // active jobs whose spec names the bucket and that have not finished it
};

/**
 * One way to decide what is worth keeping. To add one: write a file beside HistoricPriority.cpp with one
 * function, and add one line to the table in PriorityPolicy.cpp.
 */
struct PriorityPolicy {
  std::string_view name;
  /** How often each segment of the bucket is expected to be read in the near future. Pure. */
  double (*priority)(const BucketFacts& facts);
  /** Whether blocks are admitted and scored one by one, by the read plan; else bucket by bucket. */
  bool plansBlocks = false;
  /** Whether whatever is missing is admitted, whatever its priority: the baseline to beat. */
  bool admitsAll = false;
};

double historicPriority(const BucketFacts& facts);
double futurePriority(const BucketFacts& facts);
double hybridPriority(const BucketFacts& facts);

/** Null if there is no such policy. */
const PriorityPolicy* findPolicy(std::string_view name);

/** All names, for messages: "admit-all, historic, future, hybrid, planned". */
std::string policyNames();

}  // namespace shift::control
