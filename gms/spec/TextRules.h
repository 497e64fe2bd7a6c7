#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shift::gms {

/** Everything that is wrong with a request, one sentence each. */
using Faults = std::vector<std::string>;

inline constexpr std::size_t kMaxNameLength = 256;
/** Shorter than a path may be: directories are keys of the database. */
inline constexpr std::size_t kMaxDirectoryLength = 1024;
inline constexpr std::size_t kMaxCommentLength = 2000;

/** Well-formed UTF-8 without control characters: what every database and every JSON reader takes. */
bool isPlainText(std::string_view text);

/** A name that people type and logs show: present, short, plain text. */
void checkName(Faults& faults, std::string_view field, std::string_view name);
/** The same, but it may be empty, and as long as this. */
void checkText(Faults& faults, std::string_view field, std::string_view text,
               std::size_t maxLength = kMaxNameLength);

/** A directory below the store's root in its one spelling; empty, and a fault, if it is none. */
std::string checkDirectory(Faults& faults, std::string_view field, std::string_view directory);

}  // namespace shift::gms
