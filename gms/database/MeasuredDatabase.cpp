#include "gms/database/MeasuredDatabase.h"

namespace shift::gms {
namespace {

LatencyHistogram& histogramOf(CounterRegistry& counters, const char* operation) {
  return counters.histogram("gms_database_seconds",
                            "How long the database took: a statement, to begin a write, to make it durable",
                            {{"operation", operation}});
}

/** Records on its way out of scope. */
class Timing {
 public:
  Timing(const Clock& clock, LatencyHistogram& histogram)
      : clock_(clock), histogram_(histogram), began_(clock.now()) {}
  ~Timing() { histogram_.record(clock_.now() - began_); }
  Timing(const Timing&) = delete;
  Timing& operator=(const Timing&) = delete;

 private:
  const Clock& clock_;
  LatencyHistogram& histogram_;
  const TimePoint began_;
};

}  // namespace

MeasuredDatabase::MeasuredDatabase(std::unique_ptr<Database> database, const Clock& clock,
                                   CounterRegistry& counters)
    : database_(std::move(database)),
      clock_(clock),
      statements_(histogramOf(counters, "statement")),
      begins_(histogramOf(counters, "begin")),
      commits_(histogramOf(counters, "commit")) {}

std::vector<Row> MeasuredDatabase::query(std::string_view sql, std::span<const Value> parameters) {
  const Timing timing(clock_, statements_);
  return database_->query(sql, parameters);
}

void MeasuredDatabase::repeat(std::string_view sql, std::span<const std::vector<Value>> parameterSets) {
  const Timing timing(clock_, statements_);
  database_->repeat(sql, parameterSets);
}

void MeasuredDatabase::script(const char* sql) {
  database_->script(sql);
}

void MeasuredDatabase::begin() {
  const Timing timing(clock_, begins_);
  database_->begin();
}

void MeasuredDatabase::commit() {
  const Timing timing(clock_, commits_);
  database_->commit();
}

void MeasuredDatabase::rollback() {
  database_->rollback();
}

bool MeasuredDatabase::isUsable() const {
  return database_->isUsable();
}

std::int64_t MeasuredDatabase::sizeOnDisk() {
  return database_->sizeOnDisk();
}

}  // namespace shift::gms
