#pragma once

#include <string>

#include "client-lib/Eligibility.h"
#include "common/Result.h"

namespace shift::client {

/**
 * Reads eligibility rules from a TOML file, for clusters without a GMS:
 *
 *   [[rule]]
 *   id = "clicks-first-tenth"
 *   order = 10                     # optional; smaller is tried earlier
 *   path = "warehouse:clicks"      # "store:directory"; this and the next three are optional
 *   table = "clicks"
 *   tag = "nightly"
 *   job_class = "ml-training"      # or "other"
 *   action = "cache"               # or "bypass"
 *   percentage = 10                # optional
 *
 *   [[table]]
 *   name = "clicks"
 *   root = "warehouse:clicks"
 *   onboarded = true               # optional
 *   stored = "12TB"                # optional, with the next: for the heuristic
 *   demand = "30MB"                # a second
 *
 *   [disks]                        # optional; turns on the heuristic of disksSuffice()
 *   size = "18TB"
 *   rate = "50MB"                  # a second and disk, at the size of reads that jobs make
 *   copies = 1.5
 *
 * An error names every fault with its line.
 */
Result<Eligibility> readRuleFile(const std::string& path);

}  // namespace shift::client
