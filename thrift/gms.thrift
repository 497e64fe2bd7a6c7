/** The Global Metadata Store: what training jobs will read. */
namespace cpp shift.wire

/** Enums travel as plain numbers: one that this release does not know must survive the wire. */
enum JobState {
  QUEUED = 0,
  RUNNING = 1,
  FINISHED = 2,
  FAILED = 3,
}

/** The order in which a job reads the files of a partition. */
enum ReadOrder {
  UNKNOWN = 0,
  LISTED = 1,
  SEEDED = 2,
}

/** What a job will read: the partitions, in the order of reading. */
struct DatasetSpec {
  1: required string store;
  2: required string table;
  3: required list<string> partitions;  // directories below the store's root
  4: optional list<string> features;    // none: all
  5: optional i32 order = ReadOrder.UNKNOWN;
  6: optional i32 epochs = 1;
}

struct Job {
  1: required string id;
  2: optional string owner;
  3: required DatasetSpec dataset;
  4: optional i32 state = JobState.QUEUED;  // set by the store
  5: optional i64 createdMs;                // wall time, set by the store
  6: optional i64 updatedMs;
}

/** The request makes no sense. Every fault is named; nothing was stored. */
exception InvalidRequest {
  1: required list<string> faults;
}

exception NotFound {
  1: required string message;
}

/** The job's id is taken by a job with another body, or the change is not possible in the job's state. */
exception Conflict {
  1: required string message;
}

/** The store's database cannot be read or written now. */
exception StoreUnavailable {
  1: required string message;
}

service GlobalMetadataStore {
  /** Stores a job as queued. Idempotent: the same job again answers what is stored. */
  Job registerJob(1: Job job) throws (1: InvalidRequest invalid, 2: Conflict conflict, 3: StoreUnavailable down);

  /** All jobs in one of these states (none given: all), by time of registration. */
  list<Job> listJobs(1: list<i32> states) throws (1: StoreUnavailable down);

  Job getJob(1: string id) throws (1: NotFound absent, 2: StoreUnavailable down);

  /** Says how the job stands: RUNNING, FINISHED or FAILED. The last two are final. */
  Job setJobState(1: string id, 2: i32 state)
      throws (1: NotFound absent, 2: Conflict conflict, 3: StoreUnavailable down);
}
