#pragma once

#include <climits>
#include <string_view>

namespace shift::preload {

/** What the environment says, read once when the library is loaded. Texts end in NUL. */
struct Settings {
  char prefix[PATH_MAX];  // directory below which files are read through the tier, without symbolic links
  char config[PATH_MAX];  // the client's configuration file
  bool isQuiet;           // nothing is said on standard error
};

const Settings& settings();

/** False if something is missing; then that was said, and the library stays out of the way. */
bool readSettings();

/** The part of `path` below a directory; empty if it is not below it. Both are absolute and without links. */
std::string_view pathBelow(std::string_view directory, std::string_view path);

/** One line on standard error, unless it was asked for silence. Cut to a kilobyte. */
__attribute__((format(printf, 1, 2))) void warn(const char* format, ...);

}  // namespace shift::preload
