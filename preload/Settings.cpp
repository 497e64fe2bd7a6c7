#include "preload/Settings.h"

#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace shift::preload {
namespace {

Settings inForce;

bool isSet(const char* value) {
  return value != nullptr && *value != '\0';
}

/** Independent of the working directory, which may change before the path is used. */
bool takePath(const char* variable, const char* meaning, char (&into)[PATH_MAX]) {
  const char* const value = std::getenv(variable);
  if (!isSet(value)) {
    warn("reads are not redirected: %s is not set; it names %s", variable, meaning);
    return false;
  }
  if (realpath(value, into) == nullptr) {
    warn("reads are not redirected: %s=%s: %s", variable, value, strerrordesc_np(errno));
    return false;
  }
  return true;
}

}  // namespace

const Settings& settings() {
  return inForce;
}

bool readSettings() {
  inForce.isQuiet = isSet(std::getenv("SHIFT_PRELOAD_QUIET"));
  return takePath("SHIFT_PRELOAD_PREFIX", "the directory whose files are read through the tier",
                  inForce.prefix) &&
         takePath("SHIFT_CONFIG", "the client's configuration file", inForce.config);
}

std::string_view pathBelow(std::string_view directory, std::string_view path) {
  if (directory == "/") {
    return path.starts_with('/') ? path.substr(1) : std::string_view();
  }
  if (path.size() <= directory.size() + 1 || !path.starts_with(directory) || path[directory.size()] != '/') {
    return {};
  }
  return path.substr(directory.size() + 1);
}

void warn(const char* format, ...) {
  if (inForce.isQuiet) {
    return;
  }
  char line[1024];
  const int begun = std::snprintf(line, sizeof line, "shift-preload: ");
  std::va_list arguments;
  va_start(arguments, format);
  const int rest = std::vsnprintf(line + begun, sizeof line - static_cast<size_t>(begun), format, arguments);
  va_end(arguments);
  size_t length = static_cast<size_t>(begun) + static_cast<size_t>(rest < 0 ? 0 : rest);
  length = length < sizeof line - 1 ? length : sizeof line - 1;
  line[length] = '\n';
  // One write, so that lines of several processes do not mix. There is nobody to tell if it fails.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line, length + 1);
}

}  // namespace shift::preload
