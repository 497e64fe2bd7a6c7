#include "tools/demo/Suggestions.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace shift::demo {
namespace {

/** The text as a shell reads it as one word. */
std::string asWord(const std::string& text) {
  constexpr std::string_view kPlain = "/._-+=:,@%";
  const bool isPlain = std::ranges::all_of(text, [&](unsigned char letter) {
    return std::isalnum(letter) != 0 || kPlain.find(static_cast<char>(letter)) != std::string_view::npos;
  });
  if (isPlain) {
    return text;
  }
  std::string quoted = "'";
  for (const char letter : text) {
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return quoted + "'";
}

}  // namespace

std::vector<Suggestion> suggestionsFor(const Playground& playground) {
  const std::string shiftctl =
      asWord(playground.binaries + "/shiftctl") + " --gms " + playground.gmsAddress + " ";
  return {
      {shiftctl + "status", "absorbed IO, hits, flash writes, each node"},
      {shiftctl + "top --count 1", "buckets by traffic, and jobs"},
      {shiftctl + "jobs show " + asWord(playground.job), "what a job announced, and how far it came"},
      {shiftctl + "explain " + asWord(playground.file), "where it is cached, and what would be decided now"},
      {shiftctl + "params set policy.name=hybrid", "another policy on all nodes, at once"}};
}

}  // namespace shift::demo
