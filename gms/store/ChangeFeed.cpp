#include "gms/store/ChangeFeed.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gms/store/ChangeCursor.h"
#include "gms/store/Entities.h"
#include "gms/store/JobRows.h"

namespace shift::gms {
namespace {

/** A page holds at most 4 MiB; what is left is for the frame around the entries. */
constexpr std::int64_t kPageBytes = 4 * 1024 * 1024 - 64 * 1024;
/** Entries of the small kinds, and names, in a page: at most some 2 KiB each. */
constexpr std::int64_t kPageRows = 1000;
/** Jobs looked at for a page; only those that fit are read. */
constexpr std::int64_t kPageJobs = 4000;

struct StoreState {
  std::string instance;
  std::int64_t revision;
  std::int64_t ringEpoch;
  std::int64_t prunedRevision;
};

StoreState stateOf(Database& database) {
  const Row row = database.query("SELECT instance, revision, ring_epoch, pruned_revision FROM store").at(0);
  return {row.text(0), row.number(1), row.number(2), row.number(3)};
}

/** Job and directory in the one key of a cursor; neither holds a control character. */
constexpr char kKeySeparator = '\n';

// A "+" before a column keeps the databases from taking its index: nearly all jobs are in a live state, and
// few have changed, so it is always the revision that must lead.

/** Fills one page. Each list is a stage; a stage that does not fit goes on in the next page. */
class PageWriter {
 public:
  PageWriter(Database& database, std::int32_t kinds, std::int64_t since, ChangeCursor cursor,
             wire::Changes& page)
      : database_(database), kinds_(kinds), since_(since), cursor_(std::move(cursor)), page_(page) {}

  /** Returns the cursor of the next page; empty if there is none. */
  std::string write() {
    using Stage = bool (PageWriter::*)();
    constexpr Stage kStages[] = {&PageWriter::endedJobs,
                                 &PageWriter::removed,
                                 &PageWriter::jobs,
                                 &PageWriter::finishedOfJobs,
                                 &PageWriter::finishedSince,
                                 &PageWriter::entities<TableTraits, &wire::Changes::tables>,
                                 &PageWriter::entities<RuleTraits, &wire::Changes::rules>,
                                 &PageWriter::entities<MemberTraits, &wire::Changes::members>,
                                 &PageWriter::entities<ParameterTraits, &wire::Changes::parameters>};
    for (; cursor_.stage < std::ssize(kStages); startStage(cursor_.stage + 1)) {
      const Stage stage = kStages[cursor_.stage];
      if (!(this->*stage)()) {
        return encodeCursor(cursor_);
      }
    }
    return "";
  }

  void startStage(std::int64_t stage) {
    cursor_.stage = stage;
    cursor_.revision = since_ + 1;
    cursor_.key.clear();
  }

 private:
  // Each returns whether its list is complete; if not, the cursor stands at the last entry.

  bool endedJobs() {
    if (cursor_.reset || !wants(wire::ChangeKind::JOBS)) {
      return true;
    }
    return removeEach(wire::ChangeKind::JOBS,
                      database_.query("SELECT revision, id FROM jobs WHERE (revision, id) > (?1, ?2) AND "
                                      "revision <= ?3 AND state NOT IN (0, 1) ORDER BY revision, id LIMIT ?4",
                                      {cursor_.revision, cursor_.key, upTo(), roomForRows()}));
  }

  bool removed() {
    if (cursor_.reset) {
      return true;
    }
    const std::int64_t room = roomForRows();
    const std::vector<Row> rows = database_.query(
        "SELECT revision, entry_key, kind FROM removed WHERE (revision, entry_key) > (?1, ?2) AND revision "
        "<= ?3 "
        "ORDER BY revision, entry_key LIMIT ?4",
        {cursor_.revision, cursor_.key, upTo(), room});
    for (const Row& row : rows) {
      const auto kind = static_cast<std::int32_t>(row.number(2));
      if (wants(kind)) {
        addRemoved(kind, row.text(1));
      }
      moveTo(row.number(0), row.text(1));
    }
    return std::ssize(rows) < room;
  }

  bool removeEach(std::int32_t kind, const std::vector<Row>& rows) {
    const std::int64_t room = roomForRows();
    for (const Row& row : rows) {
      addRemoved(kind, row.text(1));
      moveTo(row.number(0), row.text(1));
    }
    return std::ssize(rows) < room;
  }

  bool jobs() {
    if (!wants(wire::ChangeKind::JOBS)) {
      return true;
    }
    // First only how large they are, so that what does not fit is not read.
    const ChangeCursor before = cursor_;
    bool complete = true;
    std::int64_t count = 0;
    for (const Row& row : database_.query(
             "SELECT revision, id, bytes FROM jobs WHERE (revision, id) > (?1, ?2) AND revision <= ?3 "
             "AND +state IN (0, 1) ORDER BY revision, id LIMIT ?4",
             {cursor_.revision, cursor_.key, upTo(), kPageJobs})) {
      if (bytes_ + row.number(2) > kPageBytes) {
        complete = false;
        break;
      }
      bytes_ += row.number(2);
      moveTo(row.number(0), row.text(1));
      ++count;
    }
    if (count > 0) {
      readJobs(before);
    }
    return complete && count < kPageJobs;
  }

  /** The jobs between a cursor and where it stands now. */
  void readJobs(const ChangeCursor& before) {
    for (const Row& row : database_.query(
             "SELECT * FROM job_rows WHERE (revision, id) > (?1, ?2) AND (revision, id) <= (?3, ?4) "
             "AND +state IN (0, 1) ORDER BY revision, id",
             {before.revision, before.key, cursor_.revision, cursor_.key})) {
      page_.jobs.push_back(jobFrom(row));
    }
  }

  /** What the jobs that are sent have finished, at whatever time. */
  bool finishedOfJobs() {
    return addFinished(
        "SELECT j.revision, p.job, p.directory FROM jobs j JOIN job_progress p ON p.job = j.id "
        "WHERE j.revision >= ?1 AND (j.revision, p.job, p.directory) > (?1, ?2, ?3) AND j.revision <= ?4 AND "
        "+j.state IN (0, 1) AND +p.finished_revision > 0 ORDER BY j.revision, p.job, p.directory LIMIT ?5");
  }

  /** What jobs that are known have finished since. */
  bool finishedSince() {
    return cursor_.reset || addFinished(
                                "SELECT p.finished_revision, p.job, p.directory FROM job_progress p JOIN "
                                "jobs j ON j.id = p.job "
                                "WHERE p.finished_revision > 0 AND (p.finished_revision, p.job, p.directory) "
                                "> (?1, ?2, ?3) AND "
                                "p.finished_revision <= ?4 AND +j.state IN (0, 1) "
                                "ORDER BY p.finished_revision, p.job, p.directory LIMIT ?5");
  }

  bool addFinished(const char* sql) {
    if (!wants(wire::ChangeKind::JOBS)) {
      return true;
    }
    const std::size_t cut = cursor_.key.find(kKeySeparator);
    const std::string job = cursor_.key.substr(0, cut);
    const std::string directory = cut == std::string::npos ? "" : cursor_.key.substr(cut + 1);
    const std::int64_t room = roomForRows();
    const std::vector<Row> rows = database_.query(sql, {cursor_.revision, job, directory, upTo(), room});
    for (const Row& row : rows) {
      wire::FinishedPartition& finished = page_.finished.emplace_back();
      finished.__set_job(row.text(1));
      finished.__set_directory(row.text(2));
      bytes_ += rowSize(row.text(1).size() + row.text(2).size());
      moveTo(row.number(0), row.text(1) + kKeySeparator + row.text(2));
    }
    page_.__isset.finished |= !rows.empty();
    return std::ssize(rows) < room;
  }

  template <typename Traits, std::vector<typename Traits::Entity> wire::Changes::*List>
  bool entities() {
    if (!wants(Traits::kKind)) {
      return true;
    }
    const std::int64_t room = roomForRows();
    std::vector<typename Traits::Entity> changed =
        EntityStore<Traits>::changedBetween(database_, cursor_.revision, upTo(), cursor_.key, room);
    for (typename Traits::Entity& entity : changed) {
      moveTo(entity.revision, Traits::keyOf(entity));
      bytes_ += kMaxRowBytes;
      (page_.*List).push_back(std::move(entity));
    }
    return std::ssize(changed) < room;
  }

  void addRemoved(std::int32_t kind, const std::string& key) {
    wire::Removed& entry = page_.removed.emplace_back();
    entry.__set_kind(kind);
    entry.__set_key(key);
    page_.__isset.removed = true;
    bytes_ += rowSize(key.size());
  }

  /** Rows that surely fit, but never none: a page always gets on. */
  std::int64_t roomForRows() const {
    return std::clamp<std::int64_t>((kPageBytes - bytes_) / kMaxRowBytes, 1, kPageRows);
  }
  static std::int64_t rowSize(std::size_t text) { return static_cast<std::int64_t>(text) + 32; }
  /**
   * Where everything is sent there is no end to the range: an entry that changes while the pages are taken
   * moves up, but must not be missing from them, or the follower would believe that it is gone.
   */
  std::int64_t upTo() const {
    return cursor_.reset ? std::numeric_limits<std::int64_t>::max() : cursor_.target;
  }
  bool wants(std::int32_t kind) const { return (kinds_ & kind) != 0; }
  void moveTo(std::int64_t revision, std::string key) {
    cursor_.revision = revision;
    cursor_.key = std::move(key);
  }

  static constexpr std::int64_t kMaxRowBytes = 4096;

  Database& database_;
  const std::int32_t kinds_;
  const std::int64_t since_;
  ChangeCursor cursor_;
  wire::Changes& page_;
  std::int64_t bytes_ = 0;
};

}  // namespace

Result<wire::Changes> ChangeFeed::changesSince(const wire::ChangesRequest& request) {
  ChangeCursor cursor;
  if (!request.cursor.empty()) {
    Result<ChangeCursor> given = decodeCursor(request.cursor);
    if (!given) {
      return given.error();
    }
    cursor = *std::move(given);
  }
  return store_.read([&](Database& database) -> Result<wire::Changes> {
    const StoreState state = stateOf(database);
    const bool known = request.__isset.instance && request.instance == state.instance &&
                       request.revision >= state.prunedRevision && request.revision <= state.revision;
    // A cursor of another database: it was replaced between two pages.
    const bool begins =
        request.cursor.empty() || cursor.instance != state.instance || (!cursor.reset && !known);
    if (begins) {
      cursor = {.instance = state.instance, .reset = !known, .target = state.revision};
    }
    const std::int64_t since = cursor.reset ? 0 : request.revision;
    wire::Changes page;
    page.__set_instance(state.instance);
    page.__set_revision(cursor.target);
    page.__set_reset(cursor.reset);
    if (!cursor.reset && since == cursor.target) {
      return page;
    }
    page.__set_ringEpoch(state.ringEpoch);
    PageWriter writer(database, request.kinds, since, cursor, page);
    if (begins) {
      writer.startStage(0);
    }
    page.__set_cursor(writer.write());
    page.__isset.jobs = !page.jobs.empty();
    page.__isset.tables = !page.tables.empty();
    page.__isset.rules = !page.rules.empty();
    page.__isset.members = !page.members.empty();
    page.__isset.parameters = !page.parameters.empty();
    return page;
  });
}

}  // namespace shift::gms
