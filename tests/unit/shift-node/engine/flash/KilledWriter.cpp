// The victim of KillTest: fills a flash cache until it is killed. Says on standard output, one number a line,
// how many segments are durable.

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "shift-node/engine/flash/FlashEngine.h"
#include "tests/support/engine/EngineTestKit.h"
#include "tests/unit/shift-node/engine/flash/KillTestStory.h"

int main(int argc, char** argv) {
  using namespace shift;
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s <file> <first number>\n", argv[0]);
    return 2;
  }
  SystemClock clock;
  CounterRegistry counters;
  auto engine = node::FlashEngine::open(test::killTestConfig(argv[1]), clock, counters);
  if (!engine) {
    std::fprintf(stderr, "%s\n", engine.error().message.c_str());
    return 1;
  }
  for (std::uint64_t number = std::strtoull(argv[2], nullptr, 10);; ++number) {
    const SegmentKey key = test::killTestKey(number);
    (*engine)->insert(key, test::makeSegment(key, test::killTestSize(number)), 0);
    if (number % 64 == 63) {
      if (!(*engine)->flush()) {
        return 1;
      }
      std::printf("%llu\n", static_cast<unsigned long long>(number + 1));
      std::fflush(stdout);
    }
  }
}
