#pragma once

#include <string>
#include <vector>

namespace shift::demo {

/** A command for a shell, and what it shows. */
struct Suggestion {
  std::string command;
  std::string shows;
};

/** What there is to play with. */
struct Playground {
  std::string binaries;    // where shiftctl is
  std::string gmsAddress;  // of the cluster that is up
  std::string job;         // one that it knows
  std::string file;        // one of the dataset
};

/** Five commands of shiftctl that work as they stand. */
std::vector<Suggestion> suggestionsFor(const Playground& playground);

}  // namespace shift::demo
