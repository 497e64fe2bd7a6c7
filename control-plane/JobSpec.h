#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shift::control {

/** In which order a job reads the blocks of one partition. */
enum class ReadOrder {
  kListed,   // by path, then offset; several readers may each take a split
  kSeeded,   // files shuffled by `seed` (see shuffledFiles), each read from its beginning
  kUnknown,  // any
};

enum class JobState { kQueued, kRunning, kFinished, kFailed };

/** What a job announced: the partitions it will read, one after the other. */
struct JobSpec {
  std::string job;
  std::vector<std::string> partitions;  // bucket keys, `store:dir`; a directory stands for all below it
  ReadOrder order = ReadOrder::kListed;
  std::uint64_t seed = 0;    // kSeeded only
  std::uint32_t epochs = 1;  // how often it reads all of them, from the first to the last
  JobState state = JobState::kRunning;

  bool operator==(const JobSpec&) const = default;
};

/** One file of a partition, as the backing store or the spec's manifest lists it. */
struct ListedFile {
  std::string path;  // normalised, relative to the store
  std::string version;
  std::uint64_t size = 0;
};

/** The order of `count` files under kSeeded: the same on every node, in every release, and in the readers. */
std::vector<std::uint32_t> shuffledFiles(std::uint64_t seed, std::uint32_t count);

}  // namespace shift::control
