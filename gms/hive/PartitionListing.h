#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backing-store/BackingStore.h"
#include "gms/hive/Predicate.h"

namespace shift::gms {

/** One partition of a table that is laid out Hive-style. */
struct Partition {
  std::string directory;  // below the store's root
  PartitionKeys keys;
  std::uint64_t bytes = 0;  // of its files
};

/** What lies below a table's root. */
struct TableListing {
  std::vector<Partition> partitions;  // by the values of their keys, outermost first
  std::uint64_t bytes = 0;            // of all files, also those outside any partition
};

/**
 * The partitions among these files: each run of key=value names below the root, to the innermost. Hive
 * escapes what names may not hold as %3A; values are shown without that, directories are left as they are.
 */
TableListing partitionsAmong(const std::vector<store::ListedFile>& files, std::string_view root);

/** The directories of those that match, in order. */
std::vector<std::string> matching(const TableListing& listing, const Predicate& predicate);

}  // namespace shift::gms
