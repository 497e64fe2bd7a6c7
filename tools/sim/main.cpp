#include "tools/sim/CommandLine.h"

int main(int argc, char** argv) {
  return shift::sim::runCommandLine(argc, argv);
}
