# cmake -DOUTPUT=FILE.cpp -DFILES=a;b -P EmbedPage.cmake: writes a C++ source that holds those files.

set(arrays "")
set(entries "")
set(index 0)
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} hex HEX)
  file(SHA256 ${file} digest)
  string(SUBSTRING ${digest} 0 32 digest)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char kFile${index}[] = {${bytes}};\n")
  string(APPEND entries
    "    PageFile{\"${name}\", \"\\\"${digest}\\\"\", std::string_view(kFile${index}, sizeof kFile${index})},\n")
  math(EXPR index "${index} + 1")
endforeach()

file(WRITE ${OUTPUT} "#include \"dashboard/PageFiles.h\"

#include <array>

namespace shift::dashboard {
namespace {

${arrays}
constexpr std::array<PageFile, ${index}> kFiles = {
${entries}};

}  // namespace

std::span<const PageFile> pageFiles() {
  return kFiles;
}

}  // namespace shift::dashboard
")
