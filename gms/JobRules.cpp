#include "gms/JobRules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backing-store/StorePath.h"

namespace shift::gms {
namespace {

constexpr std::size_t kMaxNameLength = 256;
constexpr std::size_t kMaxPartitions = 100'000;
constexpr std::size_t kMaxFeatures = 100'000;
constexpr std::int32_t kMaxEpochs = 1'000'000;

bool isPrintable(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

/** A name that people type and logs show: present, short, without control characters. */
void checkName(std::vector<std::string>& faults, std::string_view field, std::string_view name) {
  if (name.empty()) {
    faults.push_back(fmt::format("{} is missing", field));
  } else if (name.size() > kMaxNameLength) {
    faults.push_back(
        fmt::format("{} is {} bytes long; at most {} are allowed", field, name.size(), kMaxNameLength));
  } else if (!isPrintable(name)) {
    faults.push_back(fmt::format("{} contains a control character", field));
  }
}

}  // namespace

std::vector<std::string> faultsOf(const wire::Job& job) {
  std::vector<std::string> faults;
  checkName(faults, "id", job.id);
  if (!job.owner.empty()) {
    checkName(faults, "owner", job.owner);
  }
  const wire::DatasetSpec& dataset = job.dataset;
  checkName(faults, "dataset.store", dataset.store);
  checkName(faults, "dataset.table", dataset.table);
  if (dataset.partitions.empty()) {
    faults.push_back("dataset.partitions is empty; name at least one directory");
  } else if (dataset.partitions.size() > kMaxPartitions) {
    faults.push_back(fmt::format("dataset.partitions has {} entries; at most {} are allowed",
                                 dataset.partitions.size(), kMaxPartitions));
  } else {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < dataset.partitions.size(); ++i) {
      const Result<std::string> directory = store::normalisePath(dataset.partitions[i]);
      if (!directory) {
        faults.push_back(fmt::format("dataset.partitions[{}]: {}", i, directory.error().message));
      } else if (!seen.insert(*directory).second) {
        faults.push_back(fmt::format(
            "dataset.partitions[{}]: \"{}\" is listed twice; use epochs to read it again", i, *directory));
      }
    }
  }
  if (dataset.features.size() > kMaxFeatures) {
    faults.push_back(fmt::format("dataset.features has {} entries; at most {} are allowed",
                                 dataset.features.size(), kMaxFeatures));
  } else {
    for (std::size_t i = 0; i < dataset.features.size(); ++i) {
      checkName(faults, fmt::format("dataset.features[{}]", i), dataset.features[i]);
    }
  }
  if (wire::_ReadOrder_VALUES_TO_NAMES.count(dataset.order) == 0) {
    faults.push_back(fmt::format("dataset.order: {} is no known order", dataset.order));
  }
  if (dataset.epochs < 1 || dataset.epochs > kMaxEpochs) {
    faults.push_back(fmt::format("dataset.epochs is {}; allowed: from 1 to {}", dataset.epochs, kMaxEpochs));
  }
  return faults;
}

wire::Job normalised(const wire::Job& job) {
  wire::Job normal;
  normal.__set_id(job.id);
  normal.__set_owner(job.owner);
  wire::DatasetSpec dataset = job.dataset;
  for (std::string& directory : dataset.partitions) {
    directory = *store::normalisePath(directory);
  }
  normal.__set_dataset(dataset);
  return normal;
}

bool sameBody(const wire::Job& a, const wire::Job& b) {
  return a.owner == b.owner && a.dataset.store == b.dataset.store && a.dataset.table == b.dataset.table &&
         a.dataset.partitions == b.dataset.partitions && a.dataset.features == b.dataset.features &&
         a.dataset.order == b.dataset.order && a.dataset.epochs == b.dataset.epochs;
}

}  // namespace shift::gms
