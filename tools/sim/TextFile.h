#pragma once

#include <string>

namespace shift::sim {

/** Throws std::runtime_error if the file cannot be written. */
void writeTextFile(const std::string& path, const std::string& text);

}  // namespace shift::sim
