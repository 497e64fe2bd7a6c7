#pragma once

#include <string>

namespace shift {

/** One line in the process's log. The only door to the logging library. */
void logInfo(const std::string& message);
void logWarning(const std::string& message);
void logError(const std::string& message);

/**
 * Starts logging to standard error, from `minimum` up ("info", "warning", "error"), once per process. Before
 * it, the functions above print warnings and errors only.
 */
void startLogging(const char* program, const std::string& minimum);

}  // namespace shift
