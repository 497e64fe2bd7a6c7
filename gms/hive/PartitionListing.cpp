#include "gms/hive/PartitionListing.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace shift::gms {
namespace {

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      plain += static_cast<char>(code);
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/** The partition that a file of the table is in; no keys: in none. */
Partition partitionOf(std::string_view path, std::string_view root) {
  Partition partition;
  std::size_t begin = root.size() + 1;
  for (std::size_t slash = path.find('/', begin); slash != std::string_view::npos;
       slash = path.find('/', begin)) {
    const std::string_view name = path.substr(begin, slash - begin);
    const std::size_t equals = name.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      break;
    }
    partition.keys.emplace_back(unescaped(name.substr(0, equals)), unescaped(name.substr(equals + 1)));
    partition.directory = path.substr(0, slash);
    begin = slash + 1;
  }
  return partition;
}

/** Numbers by size, then texts. Not compareValues(): where both kinds are mixed, that one goes round in
 * circles. */
auto placeOf(const std::string& value) {
  const std::optional<std::int64_t> number = wholeNumber(value);
  return std::tuple(!number, number.value_or(0), number ? std::string_view() : std::string_view(value));
}

bool comesBefore(const Partition& a, const Partition& b) {
  const std::size_t depth = std::min(a.keys.size(), b.keys.size());
  for (std::size_t i = 0; i < depth; ++i) {
    const auto x = placeOf(a.keys[i].second);
    const auto y = placeOf(b.keys[i].second);
    if (x != y) {
      return x < y;
    }
  }
  return a.keys.size() != b.keys.size() ? a.keys.size() < b.keys.size() : a.directory < b.directory;
}

}  // namespace

TableListing partitionsAmong(const std::vector<store::ListedFile>& files, std::string_view root) {
  TableListing listing;
  std::map<std::string, Partition> byDirectory;
  for (const store::ListedFile& file : files) {
    listing.bytes += file.info.size;
    Partition partition = partitionOf(file.path, root);
    if (!partition.keys.empty()) {
      Partition& known = byDirectory.try_emplace(partition.directory, partition).first->second;
      known.bytes += file.info.size;
    }
  }
  for (auto& [directory, partition] : byDirectory) {
    listing.partitions.push_back(std::move(partition));
  }
  std::ranges::sort(listing.partitions, comesBefore);
  return listing;
}

std::vector<std::string> matching(const TableListing& listing, const Predicate& predicate) {
  std::vector<std::string> directories;
  for (const Partition& partition : listing.partitions) {
    if (predicate.matches(partition.keys)) {
      directories.push_back(partition.directory);
    }
  }
  return directories;
}

}  // namespace shift::gms
