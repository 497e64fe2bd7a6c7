#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "common/Clock.h"
#include "common/Result.h"
#include "common/WallMilliseconds.h"
#include "gms/database/DatabasePool.h"
#include "gms/store/Change.h"
#include "thrift/gms_types.h"

namespace shift::gms {

/** What a write is, so that its repetition can be told from another one under the same request id. */
struct Intent {
  wire::Caller caller;
  std::string what;  // operation and body; need not be filled without a request id
};

/**
 * The database as the stores see it: reads, and write transactions that are done once per request id. A fault
 * of the database becomes kUnavailable here. What a write has answered is durable. Thread-safe; reads run
 * beside each other and beside the one write.
 */
class MetadataStore {
 public:
  static Result<std::unique_ptr<MetadataStore>> open(const std::string& database, const Clock& clock);

  /** `read` gets a Database&, and returns a Result or a Status. */
  template <typename Read>
  auto read(Read read) -> std::invoke_result_t<Read, Database&> {
    try {
      DatabasePool::Lease database = pool_.lease();
      return read(*database);
    } catch (const DatabaseError& fault) {
      return unavailable(fault);
    }
  }

  /**
   * `apply` gets a Change&; `again` gets a Database& and answers a write that was done already under the
   * caller's request id. Both return the same Result or Status. An error, or nothing written, leaves no
   * trace.
   */
  template <typename Apply, typename Again>
  auto write(const Intent& intent, Apply apply, Again again) -> std::invoke_result_t<Apply, Change&> {
    if (const Status valid = check(intent.caller); !valid) {
      return valid.error();
    }
    try {
      std::lock_guard lock(writing_);
      DatabasePool::Lease database = pool_.lease();
      Transaction transaction(*database);
      if (const Result<bool> done = wasDone(*database, intent); !done) {
        return done.error();
      } else if (*done) {
        return again(*database);
      }
      Change change(*database, actorOf(intent.caller), nowMs());
      auto outcome = apply(change);
      if (outcome.ok() && (change.wroteAnything() || !intent.caller.requestId.empty())) {
        remember(change, intent);
        transaction.commit();
      }
      return outcome;
    } catch (const DatabaseError& fault) {
      return unavailable(fault);
    }
  }

  /** Records how long the database takes, from now on; before anybody else uses it. */
  void measure(CounterRegistry& counters) { pool_.measure(clock_, counters); }

  std::int64_t nowMs() const { return wallMilliseconds(clock_); }
  const std::string& description() const { return pool_.description(); }

 private:
  MetadataStore(const std::string& database, const Clock& clock) : pool_(database), clock_(clock) {}

  static Error unavailable(const DatabaseError& fault);
  static Status check(const wire::Caller& caller);
  static std::string actorOf(const wire::Caller& caller);
  /** kAlreadyExists if the request id belongs to another write. */
  static Result<bool> wasDone(Database& database, const Intent& intent);
  static void remember(Change& change, const Intent& intent);

  DatabasePool pool_;
  const Clock& clock_;
  /** Writers take turns here rather than in the database, where each would hold a connection while it waits.
   */
  std::mutex writing_;
};

}  // namespace shift::gms
