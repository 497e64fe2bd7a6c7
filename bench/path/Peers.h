#pragma once

#include <memory>
#include <string>

#include "bench/path/Contestant.h"
#include "bench/path/Dataset.h"

namespace shift::bench {

// What users would use instead, as Debian packages it, configured for large answers from memory. Each is
// given an empty directory of its own, and a data set that outlives it, and holds all of it when the function
// returns.

/** Files from the page cache, by sendfile. */
std::unique_ptr<Contestant> startNginxFiles(const std::string& directory, const Dataset& dataset);
/** A caching proxy before an origin: `slice` and `proxy_cache`, slices as long as an item. */
std::unique_ptr<Contestant> startNginxCache(const std::string& directory, const Dataset& dataset);
/** Values as long as an item. */
std::unique_ptr<Contestant> startMemcached(const std::string& directory, const Dataset& dataset);
/** The same. */
std::unique_ptr<Contestant> startRedis(const std::string& directory, const Dataset& dataset);

}  // namespace shift::bench
