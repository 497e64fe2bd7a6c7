#include "gms/database/PostgresDatabase.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cerrno>

namespace shift::gms {
namespace {

/** A number for the lock that write transactions take; it means nothing, but must never change. */
constexpr const char* kBegin = "BEGIN; SELECT pg_advisory_xact_lock(5270498306774157604)";
/** What is sent before answers are read: few enough that neither side's buffers can fill up. */
constexpr std::size_t kPipelined = 100;

std::string trimmed(const char* message) {
  std::string text = message;
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.pop_back();
  }
  return text;
}

}  // namespace

/** The parameters of one statement in the form the library wants: all as text. */
class PostgresDatabase::Parameters {
 public:
  explicit Parameters(std::span<const Value> values) {
    texts_.reserve(values.size());
    for (const Value& value : values) {
      texts_.push_back(std::visit([](const auto& one) { return fmt::format("{}", one); }, value));
    }
    for (const std::string& text : texts_) {
      if (text.find('\0') != std::string::npos) {
        throw DatabaseError(
            "PostgreSQL keeps no text with a NUL in it");  // rather than take it for a shorter one
      }
      pointers_.push_back(text.c_str());
    }
  }
  int count() const { return static_cast<int>(pointers_.size()); }
  const char* const* values() const { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<const char*> pointers_;
};

std::string withDollarParameters(std::string_view sql) {
  std::string out;
  bool inText = false;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    inText ^= sql[i] == '\'';
    const bool isParameter = !inText && sql[i] == '?' && i + 1 < sql.size() &&
                             std::isdigit(static_cast<unsigned char>(sql[i + 1])) != 0;
    out += isParameter ? '$' : sql[i];
  }
  return out;
}

void PostgresDatabase::Finish::operator()(pg_conn* connection) const {
  PQfinish(connection);
}

void PostgresDatabase::Clear::operator()(pg_result* result) const {
  PQclear(result);
}

PostgresDatabase::PostgresDatabase(const std::string& url) {
  // Settings of the address go before these defaults.
  constexpr const char* kKeywords[] = {"connect_timeout",  "application_name", "client_encoding",
                                       "tcp_user_timeout", "dbname",           nullptr};
  const char* const values[] = {"5", "shift-gms", "UTF8", "10000", url.c_str(), nullptr};
  connection_.reset(PQconnectdbParams(kKeywords, values, 1));
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    throw DatabaseError("cannot connect to PostgreSQL: " + trimmed(PQerrorMessage(connection_.get())));
  }
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  script("SET synchronous_commit = on; SET statement_timeout = '30s'; SET standard_conforming_strings = on");
}

bool PostgresDatabase::isUsable() const {
  if (PQstatus(connection_.get()) != CONNECTION_OK || inPipeline_) {
    return false;
  }
  // Between two calls a server has nothing to say but goodbye.
  char byte = 0;
  return ::recv(PQsocket(connection_.get()), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
         (errno == EAGAIN || errno == EWOULDBLOCK);
}

void PostgresDatabase::fail() const {
  throw DatabaseError(trimmed(PQerrorMessage(connection_.get())));
}

PostgresDatabase::Answer PostgresDatabase::checked(pg_result* result) const {
  Answer answer(result);
  switch (PQresultStatus(answer.get())) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_PIPELINE_SYNC:
      return answer;
    default:
      fail();
  }
}

const std::string& PostgresDatabase::prepared(std::string_view sql) {
  const auto known = statements_.find(sql);
  if (known != statements_.end()) {
    return known->second;
  }
  const std::string name = fmt::format("s{}", statements_.size());
  checked(PQprepare(connection_.get(), name.c_str(), withDollarParameters(sql).c_str(), 0, nullptr));
  return statements_.emplace(sql, name).first->second;
}

std::vector<Row> PostgresDatabase::query(std::string_view sql, std::span<const Value> parameters) {
  const std::string& name = prepared(sql);
  const Parameters given(parameters);
  const Answer answer = checked(
      PQexecPrepared(connection_.get(), name.c_str(), given.count(), given.values(), nullptr, nullptr, 0));
  std::vector<Row> rows;
  const int columns = PQnfields(answer.get());
  for (int row = 0; row < PQntuples(answer.get()); ++row) {
    std::vector<std::string> texts;
    texts.reserve(static_cast<std::size_t>(columns));
    for (int column = 0; column < columns; ++column) {
      texts.emplace_back(PQgetvalue(answer.get(), row, column),
                         static_cast<std::size_t>(PQgetlength(answer.get(), row, column)));
    }
    rows.emplace_back(std::move(texts));
  }
  return rows;
}

void PostgresDatabase::repeat(std::string_view sql, std::span<const std::vector<Value>> parameterSets) {
  const std::string& name = prepared(sql);
  for (std::size_t done = 0; done < parameterSets.size(); done += kPipelined) {
    sendAll(name, parameterSets.subspan(done, std::min(kPipelined, parameterSets.size() - done)));
  }
}

void PostgresDatabase::sendAll(const std::string& name, std::span<const std::vector<Value>> parameterSets) {
  pg_conn* connection = connection_.get();
  if (PQenterPipelineMode(connection) != 1) {
    fail();
  }
  inPipeline_ = true;
  for (const std::vector<Value>& parameters : parameterSets) {
    const Parameters given(parameters);
    if (PQsendQueryPrepared(connection, name.c_str(), given.count(), given.values(), nullptr, nullptr, 0) !=
        1) {
      fail();
    }
  }
  if (PQpipelineSync(connection) != 1) {
    fail();
  }
  // Every answer must be taken, also behind a failed one, or the connection stays in the pipeline.
  std::string fault;
  for (bool synced = false; !synced;) {
    if (PQstatus(connection) != CONNECTION_OK) {
      fail();
    }
    const Answer answer(PQgetResult(connection));
    if (answer == nullptr) {
      continue;  // between the answers of two statements
    }
    const auto status = PQresultStatus(answer.get());
    synced = status == PGRES_PIPELINE_SYNC;
    if (status == PGRES_FATAL_ERROR && fault.empty()) {
      fault = trimmed(PQresultErrorMessage(answer.get()));
    }
  }
  if (PQexitPipelineMode(connection) != 1) {
    fail();
  }
  inPipeline_ = false;
  if (!fault.empty()) {
    throw DatabaseError(fault);
  }
}

void PostgresDatabase::script(const char* sql) {
  checked(PQexec(connection_.get(), sql));
}

void PostgresDatabase::begin() {
  script(kBegin);
}

std::int64_t PostgresDatabase::sizeOnDisk() {
  return query("SELECT pg_database_size(current_database())").at(0).number(0);
}

}  // namespace shift::gms
