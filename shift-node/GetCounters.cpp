#include "shift-node/GetCounters.h"

#include <string>

namespace shift::node {
namespace {

constexpr const char* kMisses = "node_get_misses_total";
constexpr const char* kMissesHelp = "Gets that were not served, by reason";
constexpr const char* kTime = "node_get_seconds";
constexpr const char* kTimeHelp = "From a get's frame to its answer, without sending it, by outcome and tier";

Counter& missesBecause(CounterRegistry& registry, std::string_view reason) {
  return registry.counter(kMisses, kMissesHelp, {{"reason", std::string(reason)}});
}

LatencyHistogram& timeOf(CounterRegistry& registry, const char* outcome, std::string_view tier) {
  return registry.histogram(kTime, kTimeHelp, {{"outcome", outcome}, {"tier", std::string(tier)}});
}

std::size_t place(Tier tier) {
  return static_cast<std::size_t>(tier);
}

}  // namespace

GetCounters::GetCounters(CounterRegistry& registry)
    : fills_(registry.counter("node_get_fills_total", "Gets for which missing segments were fetched")),
      servedBytes_(registry.counter("node_served_bytes_total", "Bytes returned to clients")),
      busy_(missesBecause(registry, "busy")),
      changed_(missesBecause(registry, "changed")),
      storeFailed_(missesBecause(registry, "store-failed")),
      tooShort_(missesBecause(registry, "too-short")),
      invalid_(missesBecause(registry, "invalid")),
      filledTime_(timeOf(registry, "filled", "store")),
      missTime_(timeOf(registry, "miss", "none")) {
  for (const Tier tier : {Tier::kDram, Tier::kFlash}) {
    const Labels labels{{"tier", std::string(toString(tier))}};
    hits_[place(tier)] = &registry.counter("node_get_hits_total",
                                           "Gets served from the cache alone, by its slowest tier", labels);
    hitBytes_[place(tier)] = &registry.counter(
        "node_get_hit_bytes_total", "Bytes of gets served from the cache alone, by its slowest tier", labels);
    hitTime_[place(tier)] = &timeOf(registry, "hit", toString(tier));
  }
  using control::Reason;
  for (const Reason reason : {Reason::kBelowThreshold, Reason::kBeyondHorizon, Reason::kUsedTooLate}) {
    refusals_[static_cast<std::size_t>(reason)] = &missesBecause(registry, control::toString(reason));
  }
}

void GetCounters::hit(Tier tier, std::uint64_t bytes, Duration took) {
  hits_[place(tier)]->add();
  hitBytes_[place(tier)]->add(static_cast<std::int64_t>(bytes));
  servedBytes_.add(static_cast<std::int64_t>(bytes));
  hitTime_[place(tier)]->record(took);
}

void GetCounters::filled(std::uint64_t bytes, Duration took) {
  fills_.add();
  servedBytes_.add(static_cast<std::int64_t>(bytes));
  filledTime_.record(took);
}

void GetCounters::refused(control::Reason reason, Duration took) {
  if (Counter* const counter = refusals_[static_cast<std::size_t>(reason)]; counter != nullptr) {
    counter->add();
  }
  missTime_.record(took);
}

void GetCounters::failed(FillStatus status, Duration took) {
  (status == FillStatus::kBusy ? busy_ : status == FillStatus::kChanged ? changed_ : storeFailed_).add();
  missTime_.record(took);
}

void GetCounters::tooShort(Duration took) {
  tooShort_.add();
  missTime_.record(took);
}

void GetCounters::invalid() {
  invalid_.add();
}

}  // namespace shift::node
