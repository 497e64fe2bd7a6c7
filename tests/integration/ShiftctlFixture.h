#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/ClusterFixture.h"

namespace shift::test {

/** A tier of real processes, and shiftctl as an operator types it. */
class ShiftctlFixture : public ClusterFixture {
 protected:
  /** Nodes that follow a GMS, which knows them as the members of its ring. */
  void startTier(std::uint32_t nodes, std::vector<std::string> nodeSettings = {});

  /** Runs shiftctl with the GMS given; the output is for people. */
  Outcome ctl(std::vector<std::string> arguments) const;
  /** The same with a ring file only, and no GMS. */
  Outcome ctlByRing(std::vector<std::string> arguments) const;
  /** The same with --json: what it printed. Fails the test if it does not end with `code`. */
  nlohmann::json ctlJson(std::vector<std::string> arguments, int code = 0) const;

  /** Calls `holds` until it returns true; fails the test if it never does. */
  void await(const char* what, const std::function<bool()>& holds) const;

  std::vector<std::string> withGms(std::vector<std::string> arguments) const;
};

}  // namespace shift::test
