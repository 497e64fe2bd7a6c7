#pragma once

#include <memory>
#include <string>

#include "common/Clock.h"
#include "gms/store/Stores.h"
#include "thrift/gms_types.h"

namespace shift::bench {

/** A job that reads so many partitions of the one table. */
wire::Job jobWith(const std::string& id, int partitions);

/** Megabytes of memory that this process holds. */
double residentMegabytes();

/**
 * The stores over one database, and what fills them. A fault of the database ends the program with its words:
 * there is nothing to measure then.
 */
class GmsRig {
 public:
  GmsRig(std::string name, const std::string& database, const Clock& clock);

  const std::string& name() const { return name_; }
  gms::Stores& stores() { return *stores_; }

  /** Adds jobs until there are so many; in large transactions, so not as schedulers do. */
  void growTo(int jobs, int partitions);
  /** One submission, as a scheduler makes it; durable when it returns. */
  void submit(const wire::Job& job);
  /** What the same database does for one row of these bytes: begin, insert, commit. */
  void commitRaw(const std::string& bytes);
  /** The cheapest question that the database can answer. */
  void askRaw();

  double databaseMegabytes();

 private:
  const std::string name_;
  std::unique_ptr<gms::MetadataStore> metadata_;
  std::unique_ptr<gms::Stores> stores_;
  int jobs_ = 0;
  std::int64_t rawRows_ = 0;
};

}  // namespace shift::bench
