#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control-plane/JobSpec.h"
#include "gms/Snapshot.h"

namespace shift::node {

/** What the control plane has to be told. */
struct SpecNews {
  std::vector<control::JobSpec> specs;  // new or changed; those that ended as finished
  struct Finished {
    std::string job;
    std::string bucket;
  };
  std::vector<Finished> finished;  // partitions that a job's readers said they have finished
};

/** A job of the GMS as the control plane knows it. */
control::JobSpec toSpec(const wire::Job& job);

/** An update of what is followed, in the control plane's words. */
SpecNews toNews(const gms::Snapshot& snapshot, const gms::SnapshotUpdate& update);

/**
 * The files at or below a bucket, by path, as a job's manifest gives them; nothing if no manifest names files
 * there with their versions, without which their blocks have no ids.
 */
std::optional<std::vector<control::ListedFile>> filesByManifest(const gms::Snapshot& snapshot,
                                                                const std::string& bucket);

}  // namespace shift::node
