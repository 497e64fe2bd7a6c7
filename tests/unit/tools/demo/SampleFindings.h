#pragma once

#include "tools/demo/Findings.h"

namespace shift::demo {

/** A policy that was asked for 1000 bytes, absorbed so many and wrote so many to flash. */
inline NodeWork workOf(std::uint64_t absorbed, std::uint64_t written) {
  return {.requestedBytes = 1000, .servedBytes = absorbed + 100, .fetchedBytes = 100, .flashBytes = written};
}

inline RunFinding runOf(const std::string& policy, std::chrono::seconds jobTime, std::uint64_t absorbed,
                        std::uint64_t written) {
  return {.policy = policy,
          .jobTimes = {jobTime, jobTime},
          .work = workOf(absorbed, written),
          .diskBytes = 1000 - absorbed};
}

/** As one hopes to find it: who knows more absorbs more, writes less and is faster. */
inline Findings sampleFindings() {
  using std::chrono::seconds;
  return {
      .bytesRead = 1000,
      .noCache = {.policy = "no cache", .jobTimes = {seconds(20), seconds(20)}, .diskBytes = 1000},
      .sideBySide = {{"LRU", workOf(50, 900)}, {"hybrid", workOf(100, 500)}, {"planned", workOf(250, 250)}},
      .runs = {runOf("LRU", seconds(19), 50, 900), runOf("hybrid", seconds(17), 100, 500),
               runOf("planned", seconds(10), 250, 250)}};
}

}  // namespace shift::demo
