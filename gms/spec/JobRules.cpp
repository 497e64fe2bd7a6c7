#include "gms/spec/JobRules.h"

#include <fmt/format.h>

#include <set>

#include "backing-store/StorePath.h"
#include "gms/hive/Predicate.h"

namespace shift::gms {
namespace {

constexpr std::size_t kMaxPartitions = 100'000;
constexpr std::size_t kMaxFeatures = 100'000;
constexpr std::size_t kMaxRanges = 10'000;
constexpr std::int32_t kMaxEpochs = 1'000'000;
constexpr std::int64_t kMaxTtlMs = std::int64_t{365} * 24 * 3600 * 1000;

bool checkCount(Faults& faults, std::string_view field, std::size_t count, std::size_t most) {
  if (count > most) {
    faults.push_back(fmt::format("{} has {} entries; at most {} are allowed", field, count, most));
  }
  return count <= most;
}

void checkPartitions(Faults& faults, const wire::DatasetSpec& dataset) {
  if (!dataset.predicate.empty()) {
    if (!dataset.partitions.empty()) {
      faults.push_back("dataset has both partitions and a predicate; give one of them");
    }
    if (const auto predicate = Predicate::parse(dataset.predicate); !predicate) {
      faults.push_back("dataset.predicate: " + predicate.error().message);
    }
    return;
  }
  if (dataset.partitions.empty()) {
    faults.push_back("dataset.partitions is empty; name at least one directory, or give a predicate");
  } else if (checkCount(faults, "dataset.partitions", dataset.partitions.size(), kMaxPartitions)) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < dataset.partitions.size(); ++i) {
      const std::string field = fmt::format("dataset.partitions[{}]", i);
      const std::string directory = checkDirectory(faults, field, dataset.partitions[i]);
      if (!directory.empty() && !seen.insert(directory).second) {
        faults.push_back(
            fmt::format("{}: \"{}\" is listed twice; use epochs to read it again", field, directory));
      }
    }
  }
}

void checkSelection(Faults& faults, const wire::DatasetSpec& dataset) {
  if (checkCount(faults, "dataset.features", dataset.features.size(), kMaxFeatures)) {
    for (std::size_t i = 0; i < dataset.features.size(); ++i) {
      checkName(faults, fmt::format("dataset.features[{}]", i), dataset.features[i]);
    }
  }
  if (checkCount(faults, "dataset.ranges", dataset.ranges.size(), kMaxRanges)) {
    for (std::size_t i = 0; i < dataset.ranges.size(); ++i) {
      if (dataset.ranges[i].offset < 0 || dataset.ranges[i].length < 1) {
        faults.push_back(
            fmt::format("dataset.ranges[{}] needs an offset from 0 and a length from 1 byte", i));
      }
    }
  }
  for (std::size_t i = 0; i < dataset.manifest.size(); ++i) {
    const wire::ManifestFile& file = dataset.manifest[i];
    checkDirectory(faults, fmt::format("dataset.manifest[{}].path", i), file.path);
    checkText(faults, fmt::format("dataset.manifest[{}].version", i), file.version);
    if (file.size < 0) {
      faults.push_back(fmt::format("dataset.manifest[{}].size is negative", i));
    }
  }
}

void checkTtl(Faults& faults, std::int64_t ttlMs) {
  if (ttlMs < 1000 || ttlMs > kMaxTtlMs) {
    faults.push_back(fmt::format("ttl is {} ms; allowed: from a second to a year", ttlMs));
  }
}

bool isBelow(const std::string& path, const std::string& root) {
  return path == root || path.starts_with(root + "/");
}

}  // namespace

Faults faultsOf(const wire::Job& job) {
  Faults faults;
  checkName(faults, "id", job.id);
  checkText(faults, "owner", job.owner);
  if (wire::_JobClass_VALUES_TO_NAMES.count(job.jobClass) == 0) {
    faults.push_back(fmt::format("class: {} is no known class", job.jobClass));
  }
  if (job.expectedBytesPerSecond < 0) {
    faults.push_back("expected bytes per second: must not be negative");
  }
  if (job.__isset.ttlMs) {
    checkTtl(faults, job.ttlMs);
  }
  const wire::DatasetSpec& dataset = job.dataset;
  checkName(faults, "dataset.store", dataset.store);
  checkName(faults, "dataset.table", dataset.table);
  checkPartitions(faults, dataset);
  checkSelection(faults, dataset);
  if (wire::_ReadOrder_VALUES_TO_NAMES.count(dataset.order) == 0) {
    faults.push_back(fmt::format("dataset.order: {} is no known order", dataset.order));
  } else if (dataset.order == wire::ReadOrder::SEEDED && !dataset.__isset.seed) {
    faults.push_back("dataset.seed is missing; a seeded order is known only with its seed");
  }
  if (dataset.epochs < 1 || dataset.epochs > kMaxEpochs) {
    faults.push_back(fmt::format("dataset.epochs is {}; allowed: from 1 to {}", dataset.epochs, kMaxEpochs));
  }
  if (const std::int64_t size = encodedSize(job); size > kMaxSpecBytes) {
    faults.push_back(fmt::format(
        "the spec takes {} bytes; at most {} are allowed: list fewer partitions, features or files", size,
        kMaxSpecBytes));
  }
  return faults;
}

Faults faultsOf(const wire::JobPatch& patch) {
  Faults faults;
  checkText(faults, "owner", patch.owner);
  checkText(faults, "reason", patch.reason, kMaxCommentLength);
  if (patch.expectedBytesPerSecond < 0) {
    faults.push_back("expected bytes per second: must not be negative");
  }
  if (patch.__isset.ttlMs) {
    checkTtl(faults, patch.ttlMs);
  }
  if (patch.__isset.state && patch.state != wire::JobState::RUNNING &&
      patch.state != wire::JobState::FINISHED && patch.state != wire::JobState::FAILED) {
    faults.push_back("state: a job can be told to be running, finished or failed");
  }
  return faults;
}

Faults faultsWith(const wire::Job& job, const wire::Table& table) {
  Faults faults;
  if (job.dataset.store != table.store) {
    faults.push_back(fmt::format("dataset.store: table \"{}\" is in store \"{}\"", table.name, table.store));
  }
  for (std::size_t i = 0; i < job.dataset.partitions.size(); ++i) {
    const Result<std::string> directory = store::normalisePath(job.dataset.partitions[i]);
    if (directory && !isBelow(*directory, table.root)) {
      faults.push_back(
          fmt::format("dataset.partitions[{}]: \"{}\" is not below \"{}\", where table \"{}\" is", i,
                      *directory, table.root, table.name));
    }
  }
  return faults;
}

wire::Job normalised(const wire::Job& job) {
  wire::Job normal;
  normal.__set_id(job.id);
  normal.__set_owner(job.owner);
  normal.__set_jobClass(job.jobClass);
  normal.__set_expectedBytesPerSecond(job.expectedBytesPerSecond);
  if (job.__isset.ttlMs) {
    normal.__set_ttlMs(job.ttlMs);
  }
  wire::DatasetSpec dataset = job.dataset;
  for (std::string& directory : dataset.partitions) {
    directory = *store::normalisePath(directory);
  }
  for (wire::ManifestFile& file : dataset.manifest) {
    file.path = *store::normalisePath(file.path);
  }
  normal.__set_dataset(dataset);
  return normal;
}

bool sameBody(const wire::Job& a, const wire::Job& b) {
  const wire::DatasetSpec& x = a.dataset;
  const wire::DatasetSpec& y = b.dataset;
  // Where a predicate says which partitions, those that it gave at one time are not what was asked for.
  const bool samePartitions =
      x.predicate.empty() ? y.predicate.empty() && x.partitions == y.partitions : x.predicate == y.predicate;
  return samePartitions && a.owner == b.owner && a.jobClass == b.jobClass &&
         a.expectedBytesPerSecond == b.expectedBytesPerSecond && a.ttlMs == b.ttlMs && x.store == y.store &&
         x.table == y.table && x.features == y.features && x.ranges == y.ranges && x.manifest == y.manifest &&
         x.order == y.order && x.seed == y.seed && x.epochs == y.epochs;
}

std::int64_t encodedSize(const wire::Job& job) {
  constexpr std::size_t kPerEntry = 8;
  std::size_t size = 512 + job.id.size() + job.owner.size() + job.dataset.predicate.size();
  for (const std::string& directory : job.dataset.partitions) {
    size += directory.size() + kPerEntry;
  }
  for (const std::string& feature : job.dataset.features) {
    size += feature.size() + kPerEntry;
  }
  for (const wire::ManifestFile& file : job.dataset.manifest) {
    size += file.path.size() + file.version.size() + 4 * kPerEntry;
  }
  size += job.dataset.ranges.size() * 4 * kPerEntry;
  return static_cast<std::int64_t>(size);
}

bool isFinal(std::int32_t state) {
  return state != wire::JobState::QUEUED && state != wire::JobState::RUNNING;
}

}  // namespace shift::gms
