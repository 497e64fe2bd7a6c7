#include "gms/GmsConfig.h"

#include <algorithm>
#include <string_view>

#include "common/ConfigSchema.h"

namespace shift::gms {
namespace {

constexpr const char* kMask = "***";

/** postgresql://user:secret@host/name?password=secret, without the secrets; a file's name as it is. */
std::string masked(std::string database) {
  const std::size_t scheme = database.find("://");
  if (scheme == std::string::npos) {
    return database;
  }
  const std::size_t authority = scheme + 3;
  const std::size_t at = database.rfind('@');  // rather mask too much than what a "/" in a password hides
  const std::size_t colon = database.find(':', authority);
  if (at != std::string::npos && colon < at) {
    database.replace(colon + 1, at - colon - 1, kMask);
  }
  constexpr std::string_view kKey = "password=";  // and sslpassword
  for (std::size_t key = database.find(kKey); key != std::string::npos; key = database.find(kKey, key + 1)) {
    const std::size_t value = key + kKey.size();
    database.replace(value, std::min(database.find('&', value), database.size()) - value, kMask);
  }
  return database;
}

}  // namespace

void describe(GmsConfig& config, ConfigSchema& schema) {
  using std::chrono::hours;
  using std::chrono::milliseconds;
  using std::chrono::seconds;
  schema.address("listen", config.listen, "address of the Thrift service; port 0 = any free port");
  schema.address("http_listen", config.httpListen,
                 "address of the REST service, the dashboard and /metrics; port 0 = any free port");
  schema.integer("http_threads", config.httpThreads, 1, 256, "REST requests that are served at once");
  schema.text("database", config.database,
              "SQLite file, made if it is absent; or postgresql://user@host/name, which several may share");
  schema.text("store.name", config.storeName, "name of the backing store that predicates are expanded on");
  schema.text("store.root", config.storeRoot,
              "directory that holds the backing store's files; empty = no predicates in specs");
  schema.duration("jobs.silent_ttl", config.silentTtl, seconds(1), hours(24 * 365),
                  "a running job that gives no sign of life for so long has expired, if it says no other");
  schema.duration("jobs.queued_ttl", config.queuedTtl, seconds(1), hours(24 * 365),
                  "the same for a job that has not begun to read");
  schema.duration("jobs.keep_ended", config.keepEnded, seconds(1), hours(24 * 3650),
                  "how long jobs that have ended, and the audit log, are kept");
  schema.duration("jobs.expand_every", config.expandEvery, milliseconds(100), hours(24),
                  "how often predicates are looked at for partitions that have come or gone");
  schema.rule([&config] {
    return config.database.empty() ? "database: name a file, or a postgresql:// address" : "";
  });
}

std::string printedForAll(GmsConfig config) {
  config.database = masked(std::move(config.database));
  ConfigSchema schema;
  describe(config, schema);
  return schema.print();
}

}  // namespace shift::gms
