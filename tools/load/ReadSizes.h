#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "common/ByteSize.h"
#include "common/Result.h"
#include "tools/load/Draw.h"

namespace shift::load {

/** The sizes of reads, and how often each comes; at first all are of 256 KiB. Immutable. */
class ReadSizes {
 public:
  /** "256KiB", or several with weights: "4KiB:3,1MiB:1". */
  static Result<ReadSizes> parse(std::string_view text);

  std::uint64_t largest() const;
  std::uint64_t pick(Draw& draw) const;

 private:
  struct Weighted {
    std::uint64_t bytes = 0;
    double upTo = 0;  // the weights of this one and all before it, added up
  };
  std::vector<Weighted> sizes_{{256 * kKiB, 1}};
};

}  // namespace shift::load
