#pragma once

namespace shift::sim {

/** Takes the command and its options from the arguments and runs it. Returns the exit status. */
int runCommandLine(int argc, char** argv);

}  // namespace shift::sim
