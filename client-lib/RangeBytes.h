#pragma once

#include <cstdint>

namespace shift::client {

/** What nodes said of a range of a file, in bytes. Its parts may have fared differently. */
struct RangeBytes {
  std::uint64_t present = 0;
  std::uint64_t absent = 0;       // asked whether they are there, no more
  std::uint64_t queued = 0;       // will be fetched
  std::uint64_t refused = 0;      // not wanted by the control plane
  std::uint64_t busy = 0;         // not taken on: too much is waiting
  std::uint64_t unanswered = 0;   // the node is away, or there is none
  std::uint64_t notEligible = 0;  // no node was asked

  RangeBytes& operator+=(const RangeBytes& other) {
    present += other.present;
    absent += other.absent;
    queued += other.queued;
    refused += other.refused;
    busy += other.busy;
    unanswered += other.unanswered;
    notEligible += other.notEligible;
    return *this;
  }
};

}  // namespace shift::client
