#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backing-store/BackingStore.h"
#include "tools/load/ReadTarget.h"

namespace shift::load {

/** What became of one read. */
struct ReadOutcome {
  enum class Kind {
    kGood,
    kFailed,   // an error, or fewer bytes than there are
    kWrong,    // other bytes than the file's
    kChanged,  // the file was written to while it was read: nobody can say what is right
  };
  Kind kind = Kind::kGood;
  std::uint64_t bytes = 0;       // that were got
  std::uint64_t wrongBytes = 0;  // of them
  std::string fault;             // in words, unless good
};

/** A file that is read from a target and, if there is a reference, compared with it. One thread. */
class CheckedFile {
 public:
  /** Opens the same version of the file on both sides. Without a reference nothing is compared. */
  static Result<std::unique_ptr<CheckedFile>> open(ReadTarget& target, const store::BackingStore* reference,
                                                   const std::string& path);

  /** The read itself: what is measured. */
  Result<std::size_t> read(std::span<std::byte> into, std::uint64_t offset) {
    return target_->read(into, offset);
  }

  /** Whether it gave what it should. `asked` bytes of the file were there when the dataset was listed. */
  ReadOutcome judge(const Result<std::size_t>& got, std::span<const std::byte> asked, std::uint64_t offset);

 private:
  CheckedFile(std::string path, std::unique_ptr<TargetFile> target,
              std::unique_ptr<store::BackingFile> reference);

  const std::string path_;
  const std::unique_ptr<TargetFile> target_;
  const std::unique_ptr<store::BackingFile> reference_;
  std::vector<std::byte> expected_;
};

}  // namespace shift::load
