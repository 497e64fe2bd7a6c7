#include "gms/GmsConfig.h"

#include "common/ConfigSchema.h"

namespace shift::gms {

void describe(GmsConfig& config, ConfigSchema& schema) {
  schema.address("listen", config.listen, "address of the Thrift service; port 0 = any free port");
  schema.text("database", config.database, "SQLite database file; made if it is absent");
  schema.rule([&config] { return config.database.empty() ? "database: name a file" : ""; });
}

}  // namespace shift::gms
