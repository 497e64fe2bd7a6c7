#pragma once

#include <span>
#include <string_view>

namespace shift::dashboard {

/** A file of dashboard/page/, as it was when this program was built. */
struct PageFile {
  std::string_view name;
  std::string_view etag;  // quoted, as HTTP has it
  std::string_view content;
};

/** All of them. EmbedPage.cmake writes the body of this function. */
std::span<const PageFile> pageFiles();

}  // namespace shift::dashboard
