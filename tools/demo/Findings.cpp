#include "tools/demo/Findings.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace shift::demo {

double NodeWork::absorbedShare() const {
  return requestedBytes == 0 ? 0 : absorbedBytes() / static_cast<double>(requestedBytes);
}

double NodeWork::writesPerAbsorbedByte() const {
  return absorbedBytes() > 0 ? static_cast<double>(flashBytes) / absorbedBytes()
                             : std::numeric_limits<double>::infinity();
}

NodeWork& NodeWork::operator+=(const NodeWork& other) {
  requestedBytes += other.requestedBytes;
  servedBytes += other.servedBytes;
  fetchedBytes += other.fetchedBytes;
  flashBytes += other.flashBytes;
  return *this;
}

Duration RunFinding::meanJobTime() const {
  const Duration sum = std::accumulate(jobTimes.begin(), jobTimes.end(), Duration{0});
  return jobTimes.empty() ? sum : sum / static_cast<Duration::rep>(jobTimes.size());
}

Duration RunFinding::longestJobTime() const {
  return jobTimes.empty() ? Duration{0} : *std::ranges::max_element(jobTimes);
}

}  // namespace shift::demo
