#include "tools/load/CheckedFile.h"

#include <fmt/format.h>

#include <cstring>

namespace shift::load {
namespace {

/** A file that is replaced again and again may change between the two opens as often. */
constexpr int kOpenAttempts = 5;

std::uint64_t countDifferences(std::span<const std::byte> left, std::span<const std::byte> right) {
  if (std::memcmp(left.data(), right.data(), left.size()) == 0) {
    return 0;
  }
  std::uint64_t differences = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    differences += left[i] != right[i] ? 1 : 0;
  }
  return differences;
}

}  // namespace

CheckedFile::CheckedFile(std::string path, std::unique_ptr<TargetFile> target,
                         std::unique_ptr<store::BackingFile> reference)
    : path_(std::move(path)), target_(std::move(target)), reference_(std::move(reference)) {}

Result<std::unique_ptr<CheckedFile>> CheckedFile::open(ReadTarget& target,
                                                       const store::BackingStore* reference,
                                                       const std::string& path) {
  for (int attempt = 0; attempt < kOpenAttempts; ++attempt) {
    Result<std::unique_ptr<store::BackingFile>> before =
        reference == nullptr ? std::unique_ptr<store::BackingFile>() : reference->open(path);
    if (!before) {
      return before.error();
    }
    Result<std::unique_ptr<TargetFile>> opened = target.open(path);
    if (!opened) {
      return opened.error();
    }
    if (reference != nullptr) {
      const Result<store::FileInfo> after = reference->stat(path);
      if (!after || *after != (*before)->info()) {
        continue;  // which version the target has is not known
      }
    }
    return std::unique_ptr<CheckedFile>(new CheckedFile(path, *std::move(opened), *std::move(before)));
  }
  return Error{ErrorCode::kUnavailable, path + ": changes faster than it can be opened twice"};
}

ReadOutcome CheckedFile::judge(const Result<std::size_t>& got, std::span<const std::byte> asked,
                               std::uint64_t offset) {
  using Kind = ReadOutcome::Kind;
  if (!got) {
    return {.kind = Kind::kFailed, .fault = got.error().message};
  }
  ReadOutcome outcome{.bytes = *got};
  std::size_t expected = asked.size();
  if (reference_ != nullptr) {
    expected_.resize(asked.size());
    const Result<std::size_t> there = reference_->read(expected_, offset);
    if (!there) {
      return {.kind = Kind::kFailed, .bytes = *got, .fault = "to compare with, " + there.error().message};
    }
    expected = *there;
    const std::size_t common = std::min(expected, *got);
    outcome.wrongBytes = countDifferences(asked.first(common), std::span(expected_).first(common));
  }
  if (outcome.wrongBytes == 0 && *got == expected) {
    return outcome;
  }
  if (reference_ != nullptr) {
    const Result<store::FileInfo> now = reference_->currentInfo();
    if (!now || *now != reference_->info()) {
      return {.kind = Kind::kChanged, .bytes = *got, .fault = path_ + ": changed while it was read"};
    }
  }
  outcome.kind = outcome.wrongBytes > 0 ? Kind::kWrong : Kind::kFailed;
  outcome.fault = outcome.wrongBytes > 0
                      ? fmt::format("{}: {} wrong bytes among the {} at offset {}", path_, outcome.wrongBytes,
                                    *got, offset)
                      : fmt::format("{}: {} of {} bytes at offset {}", path_, *got, expected, offset);
  return outcome;
}

}  // namespace shift::load
