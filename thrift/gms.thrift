/** The Global Metadata Store: what training jobs will read, and what nodes and clients must know of the tier. */
namespace cpp shift.wire

/** Enums travel as plain numbers: one that this release does not know must survive the wire. */
enum JobState {
  QUEUED = 0,
  RUNNING = 1,
  FINISHED = 2,
  FAILED = 3,
  EXPIRED = 4,  // silent for longer than its time to live
}

enum JobClass {
  ML_TRAINING = 0,
  OTHER = 1,
}

/** The order in which a job reads the files of a partition. */
enum ReadOrder {
  UNKNOWN = 0,
  LISTED = 1,
  SEEDED = 2,
}

enum MemberState {
  ACTIVE = 0,    // owns its share of the ring
  DOWN = 1,      // a short outage: keeps its share, so that no data moves, but is not asked
  DRAINING = 2,  // owns nothing any more; still answers
}

enum RuleAction {
  CACHE = 0,
  BYPASS = 1,
}

/** What a follower may want; a bit each. */
enum ChangeKind {
  JOBS = 1,
  TABLES = 2,
  RULES = 4,
  MEMBERS = 8,
  PARAMETERS = 16,
}

struct ByteRange {
  1: required i64 offset;
  2: required i64 length;
}

struct ManifestFile {
  1: required string path;     // below the store's root
  2: required i64 size;
  3: optional string version;  // as the backing store tells it; without it, nodes look for themselves
}

/** What a job will read: the partitions, in the order of reading. */
struct DatasetSpec {
  1: required string store;
  2: required string table;
  3: required list<string> partitions;  // directories below the store's root; with a predicate, set by the store
  4: optional list<string> features;    // none: all
  5: optional i32 order = ReadOrder.UNKNOWN;
  6: optional i32 epochs = 1;
  7: optional i64 seed;                 // of a SEEDED order
  8: optional string predicate;         // "ds>=2026-10-01 and hour<12", on the table's Hive-style directories
  9: optional list<ByteRange> ranges;   // of each file; none: all of it
  10: optional list<ManifestFile> manifest;
}

/** How far a job has come in one partition. */
struct PartitionProgress {
  1: required string directory;
  2: optional i64 readBytes = 0;
  3: optional bool finished = false;
  4: optional i64 updatedMs;
}

struct Job {
  1: required string id;
  2: optional string owner;
  3: required DatasetSpec dataset;
  4: optional i32 state = JobState.QUEUED;  // set by the store
  5: optional i64 createdMs;                // wall time, set by the store, as are all times
  6: optional i64 updatedMs;
  7: optional i32 jobClass = JobClass.ML_TRAINING;
  8: optional i64 expectedBytesPerSecond;
  9: optional i64 ttlMs;                    // expires when silent for this long; without it, the store's default
  10: optional i64 startedMs;
  11: optional i64 endedMs;
  12: optional i64 heartbeatMs;             // its last sign of life
  13: optional string reason;               // why it failed or expired
  14: optional i64 revision;
  15: optional list<PartitionProgress> progress;  // only where one job is asked for
}

/** Which jobs; by id. */
struct JobQuery {
  1: optional list<i32> states;  // none: all
  2: optional string owner;
  3: optional string table;
  4: optional string after;      // begin after this id
  5: optional i32 limit;
}

struct JobPage {
  1: required list<Job> jobs;
  2: optional string last;       // there may be more, after this id
}

/** Fields to change; what is not set stays. */
struct JobPatch {
  1: optional i32 state;
  2: optional string reason;
  3: optional i64 expectedBytesPerSecond;
  4: optional i64 ttlMs;
  5: optional string owner;
}

/** Bytes asked for in the last day, as nodes and clients reported them. */
struct Demand {
  1: optional i64 throughCacheBytes = 0;
  2: optional i64 pastCacheBytes = 0;
}

struct Table {
  1: required string name;
  2: required string store;
  3: required string root;              // directory below the store's root
  4: optional string owner;
  5: optional bool onboarded = false;
  6: optional i64 storedBytes;          // as last listed by the store
  7: optional Demand demand;
  8: optional i64 updatedMs;
  9: optional i64 revision;
}

/**
 * Says whether reads go through the cache. Rules are tried by `order`, then `id`; the first that matches decides.
 * What is not set matches everything.
 */
struct EligibilityRule {
  1: required string id;
  2: optional i32 order = 0;
  3: optional string pathPrefix;       // "store:relative/dir": reads at or below it
  4: optional string table;
  5: optional string tag;
  6: optional i32 jobClass;
  7: required i32 action;              // RuleAction
  8: optional double percentage = 100; // share of files, by a hash of their path, that the rule is for
  9: optional string comment;
  10: optional i64 updatedMs;
  11: optional i64 revision;
}

struct RingMember {
  1: required string id;
  2: required string address;          // host:port of the read protocol
  3: optional double weight = 1;
  4: optional i32 state = MemberState.ACTIVE;
  5: optional i64 epoch;               // of the ring, when this member last changed
  6: optional i64 updatedMs;
  7: optional i64 revision;
  8: optional string adminAddress;     // host:port of the admin service, for those who look after it
}

struct Parameter {
  1: required string node;             // empty: every node; one node's own goes before that
  2: required string name;             // as in a node's configuration: "policy.min_admit_threshold"
  3: required string value;
  4: optional i64 updatedMs;
  5: optional i64 revision;
}

struct AuditEntry {
  1: required i64 revision;
  2: required i64 atMs;
  3: required string actor;
  4: required string action;           // "create", "change", "delete"
  5: required string kind;             // "job", "table", "rule", "member", "parameter"
  6: required string key;
  7: required string before;           // JSON: the fields that changed, as they were
  8: required string after;            // JSON: the same fields, as they are since
}

struct AuditQuery {
  1: optional string kind;
  2: optional string key;
  3: optional i64 beforeRevision;      // page back: entries older than this
  4: optional i32 limit;
}

/** Who asks, and under which name: a write repeated with the same request id is done once. */
struct Caller {
  1: optional string actor;
  2: optional string requestId;
}

struct JobRead {
  1: required string job;
  2: required string directory;        // below the store's root
  3: optional i64 bytes = 0;           // read since the last report
  4: optional bool finished = false;   // the job will not read here again in this epoch
}

/** Bytes asked for at or below a directory since the last report. */
struct DirectoryDemand {
  1: required string store;
  2: required string directory;
  3: required i64 bytes;
}

/** What a client found that compared what nodes gave it with the backing store, since its last report. */
struct ShadowReport {
  1: optional i64 reads = 0;
  2: optional i64 bytes = 0;
  3: optional i64 mismatches = 0;
  4: optional string lastMismatch;     // path and offset
}

/** All that one client has found so. */
struct ShadowResult {
  1: required string reporter;
  2: required ShadowReport found;
  3: required i64 updatedMs;
}

/** What a node or a client has seen since its last report. */
struct Report {
  1: required string reporter;         // a node's id, a client's name
  2: required i64 sequence;            // grows from report to report; one that was seen already is not counted again
  3: optional list<JobRead> reads;
  4: optional list<DirectoryDemand> throughCache;
  5: optional list<DirectoryDemand> pastCache;
  6: optional ShadowReport shadow;
}

struct ReportOutcome {
  1: required list<string> unknownJobs;  // ended or never registered; nothing was stored of them
}

struct ChangesRequest {
  1: required i32 kinds;               // ChangeKinds, or-ed
  2: optional string instance;         // of the store, as the last answer said it
  3: optional i64 revision = 0;        // of the last complete answer; 0: everything
  4: optional string cursor;           // of the last answer, while that is not complete
}

struct Removed {
  1: required i32 kind;
  2: required string key;              // a parameter's is "node/name"
}

/** A reader said that a job has finished a partition. */
struct FinishedPartition {
  1: required string job;
  2: required string directory;
}

/**
 * What has changed. Jobs that ended are among what was removed. While `cursor` is not empty there is more: ask again
 * with the revision asked with before, and the cursor. Then `revision` is what to ask with next time.
 */
struct Changes {
  1: required string instance;         // another one: another database
  2: required i64 revision;
  3: optional string cursor;
  4: optional bool reset = false;      // the pages hold everything there is: what they do not name is gone
  5: optional i64 ringEpoch;
  6: optional list<Job> jobs;          // queued and running ones
  7: optional list<Table> tables;
  8: optional list<EligibilityRule> rules;
  9: optional list<RingMember> members;
  10: optional list<Parameter> parameters;
  11: optional list<FinishedPartition> finished;
  12: optional list<Removed> removed;
}

/** The request makes no sense. Every fault is named; nothing was stored. */
exception InvalidRequest {
  1: required list<string> faults;
}

exception NotFound {
  1: required string message;
}

/** The id is taken by something with another body, or the change is not possible in the job's state. */
exception Conflict {
  1: required string message;
}

/** The store's database cannot be read or written now. */
exception StoreUnavailable {
  1: required string message;
}

service GlobalMetadataStore {
  /** Stores a job as queued. Idempotent: the same job again answers what is stored. */
  Job registerJob(1: Job job, 2: Caller caller)
      throws (1: InvalidRequest invalid, 2: Conflict conflict, 3: StoreUnavailable down);

  /** The same, but a known job's spec becomes this one, at once and as a whole. An ended job is queued anew. */
  Job replaceJob(1: Job job, 2: Caller caller)
      throws (1: InvalidRequest invalid, 2: Conflict conflict, 3: StoreUnavailable down);

  /** States: RUNNING, FINISHED or FAILED. The last two, and EXPIRED, are final. Any patch is a sign of life. */
  Job changeJob(1: string id, 2: JobPatch patch, 3: Caller caller)
      throws (1: InvalidRequest invalid, 2: NotFound absent, 3: Conflict conflict, 4: StoreUnavailable down);

  void deleteJob(1: string id, 2: Caller caller) throws (1: NotFound absent, 2: Conflict conflict, 3: StoreUnavailable down);
  Job getJob(1: string id) throws (1: NotFound absent, 2: StoreUnavailable down);
  JobPage listJobs(1: JobQuery query) throws (1: InvalidRequest invalid, 2: StoreUnavailable down);

  /** Each put makes or replaces by name or id. */
  Table putTable(1: Table table, 2: Caller caller)
      throws (1: InvalidRequest invalid, 2: Conflict conflict, 3: StoreUnavailable down);
  void deleteTable(1: string name, 2: Caller caller)
      throws (1: NotFound absent, 2: Conflict conflict, 3: StoreUnavailable down);
  Table getTable(1: string name) throws (1: NotFound absent, 2: StoreUnavailable down);
  list<Table> listTables() throws (1: StoreUnavailable down);

  EligibilityRule putRule(1: EligibilityRule rule, 2: Caller caller)
      throws (1: InvalidRequest invalid, 2: Conflict conflict, 3: StoreUnavailable down);
  void deleteRule(1: string id, 2: Caller caller)
      throws (1: NotFound absent, 2: Conflict conflict, 3: StoreUnavailable down);
  list<EligibilityRule> listRules() throws (1: StoreUnavailable down);

  RingMember putMember(1: RingMember member, 2: Caller caller)
      throws (1: InvalidRequest invalid, 2: Conflict conflict, 3: StoreUnavailable down);
  void deleteMember(1: string id, 2: Caller caller)
      throws (1: NotFound absent, 2: Conflict conflict, 3: StoreUnavailable down);
  list<RingMember> listMembers() throws (1: StoreUnavailable down);

  Parameter putParameter(1: Parameter parameter, 2: Caller caller)
      throws (1: InvalidRequest invalid, 2: Conflict conflict, 3: StoreUnavailable down);
  void deleteParameter(1: string node, 2: string name, 3: Caller caller)
      throws (1: NotFound absent, 2: Conflict conflict, 3: StoreUnavailable down);
  list<Parameter> listParameters() throws (1: StoreUnavailable down);

  /** The newest first. */
  list<AuditEntry> listAudit(1: AuditQuery query) throws (1: InvalidRequest invalid, 2: StoreUnavailable down);

  ReportOutcome report(1: Report report) throws (1: InvalidRequest invalid, 2: StoreUnavailable down);

  /** What clients have found since this was last cleared. */
  list<ShadowResult> listShadow() throws (1: StoreUnavailable down);
  void clearShadow(1: Caller caller) throws (1: StoreUnavailable down);

  /** Answers at once, in pages of at most 4 MiB. */
  Changes changesSince(1: ChangesRequest request) throws (1: InvalidRequest invalid, 2: StoreUnavailable down);
}
