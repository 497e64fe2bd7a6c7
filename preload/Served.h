#pragma once

#include "preload/DescriptorTable.h"
#include "preload/Inside.h"
#include "preload/Process.h"

namespace shift::preload {

/** Whether a read of the descriptor may be one for the tier. This is all that other reads pay. */
inline bool mayBeServed(int fd) {
  Process* const here = process();
  return here != nullptr && !threadIsInside && here->table().kindOf(fd) != DescriptorTable::Kind::kPlain;
}

/**
 * Whether the descriptor stands, at this moment, for a file that is read through the tier; if so, which.
 * Looks closer at one that nothing is known of: it may have been opened by whatever means, or inherited.
 */
bool findServed(Process& process, int fd, ServedFile& file);

/** The descriptor is about to be closed, or has just been given to another file. */
void release(int fd);

/** The same of all from `first` to `last`. */
void releaseRange(unsigned first, unsigned last);

}  // namespace shift::preload
