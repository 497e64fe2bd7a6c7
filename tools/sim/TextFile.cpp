#include "tools/sim/TextFile.h"

#include <fstream>
#include <stdexcept>

namespace shift::sim {

void writeTextFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.flush();
  if (!file) {
    throw std::runtime_error("cannot write " + path);
  }
}

}  // namespace shift::sim
