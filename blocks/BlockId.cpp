#include "blocks/BlockId.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace shift {
namespace {

void append(std::string& out, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) {
    out.push_back(static_cast<char>((number >> shift) & 0xff));
  }
}

/** Length first, so that ("ab", "c") and ("a", "bc") differ. */
void append(std::string& out, std::string_view text) {
  append(out, static_cast<std::uint64_t>(text.size()));
  out.append(text);
}

}  // namespace

BlockId blockIdOf(std::string_view store, std::string_view path, std::string_view version,
                  std::uint64_t blockSize, std::uint64_t blockIndex) {
  std::string facts;
  facts.reserve(40 + store.size() + path.size() + version.size());
  append(facts, store);
  append(facts, path);
  append(facts, version);
  append(facts, blockSize);
  append(facts, blockIndex);
  const XXH128_hash_t hash = XXH3_128bits(facts.data(), facts.size());
  return {hash.high64, hash.low64};
}

std::string toString(const BlockId& id) {
  return fmt::format("{:016x}{:016x}", id.high, id.low);
}

}  // namespace shift
