// kill -9 of a real process that fills a real file, again and again.

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "common/FileDescriptor.h"
#include "tests/support/TemporaryDirectory.h"
#include "tests/support/engine/EngineTestKit.h"
#include "tests/unit/shift-node/engine/flash/KillTestStory.h"

namespace shift::node {
namespace {

/** Runs the victim until it has said so many numbers, kills it and returns the last. */
std::uint64_t fillAndKill(const std::string& file, std::uint64_t first, int numbers) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::string program = SHIFT_KILLED_WRITER;
  std::string path = file;
  std::string from = std::to_string(first);
  char* arguments[] = {program.data(), path.data(), from.data(), nullptr};
  pid_t victim = 0;
  EXPECT_EQ(::posix_spawn(&victim, program.c_str(), &actions, nullptr, arguments, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::FILE* const said = ::fdopen(ends[0], "r");
  unsigned long long durable = first;
  for (int i = 0; i < numbers; ++i) {
    EXPECT_EQ(std::fscanf(said, "%llu", &durable), 1);
  }
  ::kill(victim, SIGKILL);
  std::fclose(said);
  int status = 0;
  EXPECT_EQ(::waitpid(victim, &status, 0), victim);
  EXPECT_TRUE(WIFSIGNALED(status));
  return durable;
}

TEST(Kill, WhatWasDurableComesBackAndNothingWrongIsServed) {
  test::TemporaryDirectory directory;
  const std::string file = directory / "cache";
  std::uint64_t durable = 0;
  for (int round = 0; round < 12; ++round) {
    durable = fillAndKill(file, durable, 5 + round * 3);
    SystemClock clock;
    CounterRegistry counters;
    const auto engine = FlashEngine::open(test::killTestConfig(file), clock, counters);
    ASSERT_TRUE(engine.ok()) << engine.error().message;
    // The victim may have gone on after its last word, so the oldest may have been evicted; the newest that
    // were durable have not.
    std::uint64_t served = 0;
    for (std::uint64_t number = 0; number < durable + 500; ++number) {
      const SegmentKey key = test::killTestKey(number);
      const SegmentRef found = test::lookUp(**engine, key);
      ASSERT_TRUE(!found || (found.size == test::killTestSize(number) && test::isSegment(found, key)))
          << number;
      served += found ? 1 : 0;
      if (number < durable && number + 64 >= durable) {
        ASSERT_TRUE(found) << number << " of " << durable;
      }
    }
    EXPECT_GE(served, 64u);
  }
}

}  // namespace
}  // namespace shift::node
