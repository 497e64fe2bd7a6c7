#include "gms/store/AuditLog.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace shift::gms {
namespace {

constexpr std::int32_t kDefaultEntries = 100;
constexpr std::int32_t kMaxPage = 1000;
/** Entries hold whole specs: an answer ends here even if more were asked for. */
constexpr std::size_t kMaxEntriesBytes = 4 * 1024 * 1024;

}  // namespace

Result<std::vector<wire::AuditEntry>> AuditLog::list(const wire::AuditQuery& query) {
  if (query.__isset.limit && (query.limit < 1 || query.limit > kMaxPage)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("limit is {}; allowed: from 1 to {}", query.limit, kMaxPage)};
  }
  return store_.read([&](Database& database) -> Result<std::vector<wire::AuditEntry>> {
    const std::int64_t before =
        query.__isset.beforeRevision ? query.beforeRevision : std::numeric_limits<std::int64_t>::max();
    const std::int64_t limit = query.__isset.limit ? query.limit : kDefaultEntries;
    std::vector<wire::AuditEntry> entries;
    std::size_t bytes = 0;
    for (const Row& row : database.query(
             "SELECT revision, at_ms, actor, action, kind, entry_key, before_json, after_json FROM audit "
             "WHERE revision < ?1 AND (?2 = '' OR kind = ?2) AND (?3 = '' OR entry_key = ?3) "
             "ORDER BY revision DESC, position DESC LIMIT ?4",
             {before, query.kind, query.key, limit})) {
      bytes += row.text(6).size() + row.text(7).size();
      if (!entries.empty() && bytes > kMaxEntriesBytes) {
        break;
      }
      wire::AuditEntry& entry = entries.emplace_back();
      entry.__set_revision(row.number(0));
      entry.__set_atMs(row.number(1));
      entry.__set_actor(row.text(2));
      entry.__set_action(row.text(3));
      entry.__set_kind(row.text(4));
      entry.__set_key(row.text(5));
      entry.__set_before(row.text(6));
      entry.__set_after(row.text(7));
    }
    return entries;
  });
}

}  // namespace shift::gms
