#include "tools/demo/Suggestions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift::demo {
namespace {

using testing::StartsWith;

Playground playground() {
  return {.binaries = "/opt/shift/bin",
          .gmsAddress = "127.0.0.1:7500",
          .job = "planned-job-1",
          .file = "clicks/ds=2026-11-01/part-00007"};
}

TEST(Suggestions, AreFiveCommandsThatCanBePastedAsTheyStand) {
  const std::vector<Suggestion> suggestions = suggestionsFor(playground());
  ASSERT_EQ(suggestions.size(), 5u);
  for (const Suggestion& suggestion : suggestions) {
    EXPECT_THAT(suggestion.command, StartsWith("/opt/shift/bin/shiftctl --gms 127.0.0.1:7500 "));
    EXPECT_FALSE(suggestion.shows.empty());
  }
  EXPECT_EQ(suggestions[3].command,
            "/opt/shift/bin/shiftctl --gms 127.0.0.1:7500 explain clicks/ds=2026-11-01/part-00007");
}

TEST(Suggestions, QuoteWhatAShellWouldTakeApart) {
  Playground odd = playground();
  odd.binaries = "/home/o'hara/my tools";
  EXPECT_THAT(suggestionsFor(odd).front().command,
              StartsWith(R"('/home/o'\''hara/my tools/shiftctl' --gms)"));
}

}  // namespace
}  // namespace shift::demo
