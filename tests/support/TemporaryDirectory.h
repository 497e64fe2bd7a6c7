#pragma once

#include <string>
#include <string_view>

#include "common/TemporaryDirectory.h"

namespace shift::test {

/** One for a test, with a verb to put files into it. */
class TemporaryDirectory : public shift::TemporaryDirectory {
 public:
  TemporaryDirectory() : shift::TemporaryDirectory("shift-test") {}

  /** Writes a file, making its directories; returns its whole path. */
  std::string write(std::string_view name, std::string_view content) const;
};

/** Bytes that differ from seed to seed and from place to place, so that a mix-up shows. */
std::string patternedBytes(std::size_t size, unsigned seed);

}  // namespace shift::test
