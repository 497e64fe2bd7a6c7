#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "gms/store/Housekeeper.h"
#include "gms/store/Stores.h"
#include "tests/support/PostgresServer.h"
#include "tests/support/TemporaryDirectory.h"

namespace shift::gms {

/** The stores over a fresh database; every test runs on SQLite and on PostgreSQL. */
class StoreFixture : public testing::TestWithParam<const char*> {
 protected:
  StoreFixture() {
    where_ = std::string(GetParam()) == "postgresql" ? test::PostgresServer::shared().emptyDatabase()
                                                     : directory_ / "gms.sqlite";
    clock_.advance(std::chrono::hours(1000));
    reopen();
  }

  void reopen() {
    stores_.reset();
    metadata_.reset();
    auto opened = MetadataStore::open(where_, clock_);
    ASSERT_TRUE(opened) << opened.error().message;
    metadata_ = *std::move(opened);
    stores_ = std::make_unique<Stores>(*metadata_, [this](const wire::Table&) { return listing(); });
  }

  /** What the backing store holds of every table. */
  Result<TableListing> listing() const {
    if (files_.empty()) {
      return Error{ErrorCode::kUnavailable, "the store is away"};
    }
    std::vector<store::ListedFile> listed;
    for (const std::string& path : files_) {
      listed.push_back({path, {10, "v"}});
    }
    return partitionsAmong(listed, "clicks");
  }

  static wire::Caller by(const std::string& actor, const std::string& requestId = "") {
    wire::Caller caller;
    caller.__set_actor(actor);
    caller.__set_requestId(requestId);
    return caller;
  }

  void putTable(const std::string& name = "clicks") {
    wire::Table table;
    table.__set_name(name);
    table.__set_store("warehouse");
    table.__set_root(name);
    const auto stored = stores_->tables.put(table, by("ann"));
    ASSERT_TRUE(stored) << stored.error().message;
  }

  static wire::Job job(const std::string& id) {
    wire::Job job;
    job.__set_id(id);
    job.__set_owner("ml");
    job.dataset.__set_store("warehouse");
    job.dataset.__set_table("clicks");
    job.dataset.__set_partitions({"clicks/ds=2", "clicks/ds=1"});
    job.dataset.__set_features({"age", "country"});
    job.dataset.__set_order(wire::ReadOrder::LISTED);
    job.dataset.__set_epochs(3);
    return job;
  }

  static wire::Job jobWithPredicate(const std::string& id, const std::string& predicate) {
    wire::Job job = StoreFixture::job(id);
    job.dataset.__set_partitions({});
    job.dataset.__set_predicate(predicate);
    return job;
  }

  wire::Job add(const wire::Job& job) {
    const auto stored = stores_->jobs.registerJob(job, by("ann"));
    EXPECT_TRUE(stored) << stored.error().message;
    return stored ? *stored : wire::Job();
  }

  Result<wire::Job> tell(const std::string& id, std::int32_t state) {
    wire::JobPatch patch;
    patch.__set_state(state);
    return stores_->jobs.changeJob(id, patch, by("ann"));
  }

  wire::Report readsOf(const std::string& id, const std::string& directory, std::int64_t bytes,
                       bool finished = false) {
    wire::JobRead read;
    read.__set_job(id);
    read.__set_directory(directory);
    read.__set_bytes(bytes);
    read.__set_finished(finished);
    wire::Report report;
    report.__set_reporter("node-1");
    report.__set_sequence(++sequence_);
    report.__set_reads({read});
    return report;
  }

  test::TemporaryDirectory directory_;
  ManualClock clock_;
  std::string where_;
  std::vector<std::string> files_;
  std::int64_t sequence_ = 0;
  std::unique_ptr<MetadataStore> metadata_;
  std::unique_ptr<Stores> stores_;
};

inline std::string nameOfDatabase(const testing::TestParamInfo<const char*>& info) {
  return info.param;
}

#define SHIFT_ON_BOTH_DATABASES(fixture) \
  INSTANTIATE_TEST_SUITE_P(On, fixture, testing::Values("sqlite", "postgresql"), nameOfDatabase)

}  // namespace shift::gms
