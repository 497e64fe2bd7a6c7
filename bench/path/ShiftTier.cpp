#include "bench/path/ShiftTier.h"

#include <stdexcept>

namespace shift::bench {
namespace {

class ShiftSession final : public Session {
 public:
  ShiftSession(client::Client& client, const Dataset& dataset)
      : client_(client), handle_(*client.open(Dataset::kFileName)), dataset_(dataset) {}

  void read(std::size_t item, std::span<std::byte> into) override {
    const Result<std::size_t> got = client_.pread(handle_, into, dataset_.offsetOf(item));
    if (!got || *got != into.size()) {
      throw std::runtime_error(got ? "a short read" : got.error().message);
    }
  }

 private:
  client::Client& client_;
  const client::Handle handle_;
  const Dataset& dataset_;
};

}  // namespace

ShiftTier::ShiftTier(ShiftTierConfig config, const Dataset& dataset)
    : config_(std::move(config)),
      dataset_(dataset),
      node_(config_.binaries, config_.directory, dataset.directory(), config_.nodeSettings) {
  useNewClient();
  fill();
}

void ShiftTier::useNewClient() {
  clients_.push_back(node_.newClient(config_.client));
}

/** In order, so that fills are long; again, until a whole round finds everything. */
void ShiftTier::fill() {
  constexpr int kMaxRounds = 20;
  std::vector<std::byte> buffer(dataset_.itemBytes());
  const std::unique_ptr<Session> session = connect();
  const client::Handle handle = *clients_.front()->open(Dataset::kFileName);
  for (int round = 0; round < kMaxRounds; ++round) {
    for (std::size_t item = 0; item < dataset_.items(); ++item) {
      session->read(item, buffer);
    }
    const auto held = clients_.front()->probe(handle, 0, dataset_.bytes());
    if (held && held->present == dataset_.bytes()) {
      storeBytesOfFill_ = clients_.front()->stats().bytesFromBackingStore;
      nodeBytesOfFill_ = clients_.front()->stats().bytesFromNodes;
      return;
    }
  }
  throw std::runtime_error("the node does not take the whole data set");
}

std::unique_ptr<Session> ShiftTier::connect() {
  return std::make_unique<ShiftSession>(*clients_.back(), dataset_);
}

double ShiftTier::shareFromBackingStore() const {
  std::uint64_t store = 0, nodes = 0;
  for (const auto& client : clients_) {
    store += client->stats().bytesFromBackingStore;
    nodes += client->stats().bytesFromNodes;
  }
  store -= storeBytesOfFill_;
  nodes -= nodeBytesOfFill_;
  return store + nodes > 0 ? static_cast<double>(store) / static_cast<double>(store + nodes) : 0;
}

}  // namespace shift::bench
