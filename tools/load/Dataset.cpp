#include "tools/load/Dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "tools/dataset/RandomFile.h"

namespace shift::load {

Result<bool> makeDataset(const std::string& root, std::uint32_t files, std::uint64_t size) {
  std::error_code fault;
  const bool exists = std::filesystem::exists(root, fault);
  if (exists && !std::filesystem::is_empty(root, fault)) {
    return fault ? Result<bool>(Error::fromErrno(fault.value(), "looking into " + root)) : false;
  }
  for (std::uint32_t file = 0; file < files; ++file) {
    const Status written =
        tools::writeRandomFile(fmt::format("{}/bench/part-{:05}", root, file), size, file + 1);
    if (!written) {
      return written.error();
    }
  }
  return true;
}

Result<std::vector<DataFile>> listDataset(const store::BackingStore& store, const std::string& root,
                                          std::vector<std::string> paths) {
  if (paths.empty()) {
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator(root, fault)) {
      paths.push_back(entry.path().filename().string());
    }
    if (fault) {
      return Error::fromErrno(fault.value(), "listing " + root);
    }
  }
  std::vector<DataFile> files;
  for (const std::string& path : paths) {
    const Result<store::FileInfo> info = store.stat(path);
    if (info) {
      files.push_back({path, info->size});
      continue;
    }
    if (info.error().systemError != EISDIR) {
      return info.error();
    }
    const Result<std::vector<store::ListedFile>> listed = store.list(path);
    if (!listed) {
      return listed.error();
    }
    for (const store::ListedFile& file : *listed) {
      files.push_back({file.path, file.info.size});
    }
  }
  std::erase_if(files, [](const DataFile& file) { return file.size == 0; });
  std::sort(files.begin(), files.end(), [](const DataFile& a, const DataFile& b) { return a.path < b.path; });
  if (files.empty()) {
    return Error{ErrorCode::kNotFound,
                 "no file to read below " + root + "; --make-dataset FILES writes some"};
  }
  return files;
}

}  // namespace shift::load
