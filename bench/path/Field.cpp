#include "bench/path/Field.h"

#include <stdexcept>

#include "bench/path/BareLoop.h"
#include "bench/path/Load.h"
#include "bench/path/Peers.h"

namespace shift::bench {
namespace {

/** Reads of the backing store that hedging may have caused on a machine that others use too. */
constexpr double kToleratedShare = 0.01;

std::unique_ptr<ShiftTier> startShift(const PathOptions& options, const Dataset& dataset, bool verify) {
  ShiftTierConfig config;
  config.name = verify ? "Shift" : "Shift, verify off";
  config.binaries = options.binaries;
  config.directory = options.directory + (verify ? "/shift" : "/shift-unverified");
  // A node as it is meant to be, with flash behind its memory, which is large enough for all of the data set.
  config.nodeSettings = {"cache.dram=" + std::to_string(dataset.bytes() + dataset.bytes() / 4),
                         "cache.flash=" + std::to_string(2 * dataset.bytes()),
                         "cache.flash_files=" + config.directory + ".cache"};
  config.client.verify = verify;
  return std::make_unique<ShiftTier>(config, dataset);
}

}  // namespace

Field::Field(const PathOptions& options, const Dataset& dataset)
    : shift(startShift(options, dataset, true)),
      unverified(startShift(options, dataset, false)),
      bareLoop(BareLoop::ofOneItem(dataset)),
      bareLoopOverAll(BareLoop::ofAll(dataset)) {
  peers.push_back(startNginxFiles(options.directory + "/nginx-files", dataset));
  peers.push_back(startNginxCache(options.directory + "/nginx-cache", dataset));
  peers.push_back(startMemcached(options.directory + "/memcached", dataset));
  peers.push_back(startRedis(options.directory + "/redis", dataset));
  for (Contestant* const contestant : all()) {
    if (contestant != bareLoop.get()) {  // which answers everything with one buffer
      checkEveryByte(contestant->name(), *contestant->connect(), dataset);
    }
  }
}

std::vector<Contestant*> Field::all() const {
  std::vector<Contestant*> everyone{shift.get(), unverified.get(), bareLoop.get(), bareLoopOverAll.get()};
  for (const std::unique_ptr<Contestant>& peer : peers) {
    everyone.push_back(peer.get());
  }
  return everyone;
}

void requireFromNode(const ShiftTier& tier) {
  if (tier.shareFromBackingStore() > kToleratedShare) {
    throw std::runtime_error("the node did not serve everything: these are not its numbers");
  }
}

}  // namespace shift::bench
