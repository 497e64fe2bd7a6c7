#include "gms/database/Database.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "gms/database/DatabasePool.h"
#include "gms/database/PostgresDatabase.h"
#include "gms/database/SqliteDatabase.h"
#include "tests/support/PostgresServer.h"

namespace shift::gms {
namespace {

using testing::HasSubstr;

/** What every database must do alike. */
class DatabaseTest : public testing::TestWithParam<const char*> {
 protected:
  DatabaseTest() {
    where_ = isPostgres() ? test::PostgresServer::shared().emptyDatabase() : directory_ / "x.sqlite";
    database_ = connect();
    database_->script("CREATE TABLE t (id TEXT PRIMARY KEY, n BIGINT NOT NULL, r DOUBLE PRECISION NOT NULL)");
  }

  static bool isPostgres() { return std::string(GetParam()) == "postgresql"; }

  std::unique_ptr<Database> connect() const {
    return isPostgres() ? std::unique_ptr<Database>(std::make_unique<PostgresDatabase>(where_))
                        : std::make_unique<SqliteDatabase>(where_);
  }

  std::int64_t count(Database& database) { return database.query("SELECT COUNT(*) FROM t").at(0).number(0); }

  static constexpr const char* kInsert = "INSERT INTO t (id, n, r) VALUES (?1, ?2, ?3)";

  test::TemporaryDirectory directory_;
  std::string where_;
  std::unique_ptr<Database> database_;
};
INSTANTIATE_TEST_SUITE_P(On, DatabaseTest, testing::Values("sqlite", "postgresql"),
                         [](const auto& database) { return std::string(database.param); });

TEST_P(DatabaseTest, ValuesComeBackAsTheyWere) {
  const std::string text = "ü '?1' \"$1\" \\n";
  database_->query(kInsert, {text, INT64_MIN, 0.1 + 0.2});
  const Row row = database_->query("SELECT id, n, r FROM t WHERE id = ?1", {text}).at(0);
  EXPECT_EQ(row.text(0), text);
  EXPECT_EQ(row.number(1), INT64_MIN);
  EXPECT_EQ(row.real(2), 0.1 + 0.2);
}

TEST_P(DatabaseTest, ATransactionIsAllOrNothing) {
  {
    Transaction transaction(*database_);
    database_->query(kInsert, {"a", 1, 0.0});
  }
  EXPECT_EQ(count(*database_), 0);
  Transaction transaction(*database_);
  database_->query(kInsert, {"a", 1, 0.0});
  transaction.commit();
  EXPECT_EQ(count(*connect()), 1);
}

TEST_P(DatabaseTest, AFaultLeavesTheConnectionUsable) {
  database_->query(kInsert, {"a", 1, 0.0});
  {
    Transaction transaction(*database_);
    EXPECT_THROW(database_->query(kInsert, {"a", 1, 0.0}), DatabaseError);
  }
  EXPECT_THROW(database_->query("SELECT nonsense FROM nowhere"), DatabaseError);
  EXPECT_TRUE(database_->isUsable());
  EXPECT_EQ(count(*database_), 1);
}

TEST_P(DatabaseTest, RepeatsAStatementForManyParameters) {
  std::vector<std::string> ids;
  for (int i = 0; i < 1234; ++i) {
    ids.push_back("row-" + std::to_string(i));
  }
  std::vector<std::vector<Value>> rows;
  for (const std::string& id : ids) {
    rows.push_back({id, 1, 1.0});
  }
  {
    Transaction transaction(*database_);
    database_->repeat(kInsert, rows);
    transaction.commit();
  }
  EXPECT_EQ(count(*database_), 1234);
  EXPECT_THROW(database_->repeat(kInsert, rows), DatabaseError);
  EXPECT_TRUE(database_->isUsable());
  EXPECT_EQ(count(*database_), 1234);
}

TEST_P(DatabaseTest, WriteTransactionsTakeTurns) {
  database_->query(kInsert, {"sum", 0, 0.0});
  const auto addUp = [this](Database& database) {
    for (int i = 0; i < 50; ++i) {
      Transaction transaction(database);
      const std::int64_t before = database.query("SELECT n FROM t WHERE id = 'sum'").at(0).number(0);
      database.query("UPDATE t SET n = ?1 WHERE id = 'sum'", {before + 1});
      transaction.commit();
    }
  };
  const std::unique_ptr<Database> other = connect();
  std::thread beside([&] { addUp(*other); });
  addUp(*database_);
  beside.join();
  EXPECT_EQ(database_->query("SELECT n FROM t").at(0).number(0), 100);
}

TEST_P(DatabaseTest, RefusesASchemaOfANewerRelease) {
  { DatabasePool made(where_); }
  database_->query("INSERT INTO schema_version (version) VALUES (999)");
  try {
    DatabasePool refused(where_);
    FAIL() << "opened";
  } catch (const DatabaseError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("schema 999"));
  }
}

TEST(DatabasePool, RefusesAnSqliteFileThatIsServedAlready) {
  const test::TemporaryDirectory directory;
  const DatabasePool first(directory / "x.sqlite");
  try {
    DatabasePool second(directory / "x.sqlite");
    FAIL() << "opened";
  } catch (const DatabaseError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("another process serves the database"));
  }
}

TEST(DatabasePool, RefusesAFileThatIsNotADatabase) {
  const test::TemporaryDirectory directory;
  const std::string path = directory.write("garbage.sqlite", std::string(8192, 'x'));
  EXPECT_THROW(DatabasePool{path}, DatabaseError);
  EXPECT_THROW(DatabasePool{directory / "no/such/dir/x.sqlite"}, DatabaseError);
}

TEST(DatabasePool, ConnectsAgainWhenTheServerWasAway) {
  test::PostgresServer& server = test::PostgresServer::shared();
  DatabasePool pool(server.emptyDatabase());
  server.crashAndRestart();
  EXPECT_EQ(pool.lease()->query("SELECT instance FROM store").size(), 1u);
}

TEST(PostgresDatabase, SaysWhyItCannotConnect) {
  try {
    PostgresDatabase nowhere("postgresql:///x?host=/nowhere");
    FAIL() << "connected";
  } catch (const DatabaseError& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("cannot connect to PostgreSQL"));
  }
}

TEST(PostgresDatabase, TakesParametersInTheOneForm) {
  EXPECT_EQ(withDollarParameters("a = ?1 AND b = ?12 AND c = '?3' AND d = '''?4'"),
            "a = $1 AND b = $12 AND c = '?3' AND d = '''?4'");
}

}  // namespace
}  // namespace shift::gms
