#pragma once

#include <memory>

#include "common/Clock.h"
#include "common/Counters.h"
#include "gms/database/Database.h"

namespace shift::gms {

/** A connection that records how long the database takes, by operation. As thread-safe as the one it is
 * around. */
class MeasuredDatabase final : public Database {
 public:
  /** `clock` and `counters` outlive it. */
  MeasuredDatabase(std::unique_ptr<Database> database, const Clock& clock, CounterRegistry& counters);

  std::vector<Row> query(std::string_view sql, std::span<const Value> parameters) override;
  void repeat(std::string_view sql, std::span<const std::vector<Value>> parameterSets) override;
  void script(const char* sql) override;
  void begin() override;
  void commit() override;
  void rollback() override;
  bool isUsable() const override;
  std::int64_t sizeOnDisk() override;

 private:
  const std::unique_ptr<Database> database_;
  const Clock& clock_;
  LatencyHistogram& statements_;
  LatencyHistogram& begins_;
  LatencyHistogram& commits_;
};

}  // namespace shift::gms
