#pragma once

#include <sys/types.h>

namespace shift::preload {

/** As copy_file_range(2), of a file that may be a served one: read through the tier, and written. */
ssize_t copyRange(int from, off_t* fromOffset, int to, off_t* toOffset, size_t length, unsigned flags);

}  // namespace shift::preload
