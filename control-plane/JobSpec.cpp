#include "control-plane/JobSpec.h"

#include <numeric>
#include <utility>

#include "control-plane/Hash.h"

namespace shift::control {

std::vector<std::uint32_t> shuffledFiles(std::uint64_t seed, std::uint32_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t left = count; left > 1; --left) {
    seed = spreadBits(seed);
    std::swap(order[left - 1], order[seed % left]);
  }
  return order;
}

}  // namespace shift::control
