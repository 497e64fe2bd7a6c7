#pragma once

#include <span>
#include <string>

#include "common/Result.h"
#include "gms/Snapshot.h"

namespace shift::gms {

/** The bytes of a snapshot file: a mark, a checksum, the snapshot in Thrift's compact form. */
std::string encodeSnapshot(const Snapshot& snapshot);
/** kCorrupt for anything that encodeSnapshot() did not write. */
Result<Snapshot> decodeSnapshot(std::span<const std::byte> bytes);

/** Replaces the file as a whole: a reader finds the old or the new one, also after a crash. */
Status saveSnapshot(const std::string& path, const Snapshot& snapshot);
/** kNotFound if there is no such file. */
Result<Snapshot> loadSnapshot(const std::string& path);

}  // namespace shift::gms
