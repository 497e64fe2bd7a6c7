/** What an operator asks of one node. */
namespace cpp shift.wire

/** Where absorbed IO comes from, for one bucket or one job. */
struct Traffic {
  1: required string name;
  2: required i64 requests;
  3: required i64 hits;            // requests answered without a backing read
  4: required i64 fills;           // requests for which something was fetched
  5: required i64 refusals;
  6: required i64 servedBytes;     // returned to clients
  7: required i64 fetchedBytes;    // read from the backing store
  8: required i64 requestedBytes;  // asked for, whatever came of it
}

struct NodeCounter {
  1: required string name;
  2: required string help;
  3: required i64 value;
}

/** What a node did, in all since its start or within a stretch of time. */
struct Activity {
  1: required double seconds;          // how long that was
  2: required i64 requests;
  3: required i64 hits;
  4: required i64 fills;
  5: required i64 refusals;
  6: required i64 servedBytes;
  7: required i64 fetchedBytes;
  8: required i64 dramHits;            // segments found in memory
  9: required i64 flashHits;           // segments read from flash
  10: required i64 segmentMisses;
  11: required i64 admittedBytes;      // written to flash for misses that were admitted
  12: required i64 reinsertedBytes;    // written to flash again
  13: required i64 metadataBytes;      // written to flash for the index
  14: required i64 requestedBytes;     // asked for, whatever came of it
}

/** How things stood at one time; the activity is that since the node's start. */
struct HistoryPoint {
  1: required i64 atMs;                // wall time
  2: required Activity total;
  3: required i64 usedBytes;
  4: optional double admitThreshold;   // what is not there is without bound
  5: optional double horizonSeconds;
}

/** One arm of a comparison of two policies. */
struct ExperimentArm {
  1: required string name;
  2: required Activity activity;       // since the node joined the arm, or since its start if that was later
  3: required bool sinceRestart;       // what came before a restart is not in it
}

struct NodeStatus {
  1: required string id;
  2: required string engine;
  3: required i64 capacityBytes;
  4: required i64 usedBytes;
  5: required i64 segments;
  6: required i32 segmentSize;
  7: required string policy;
  8: required string address;          // of the read protocol
  9: required string store;
  10: required Activity lastMinute;
  11: required Activity lastHour;
  12: required Activity sinceStart;
  13: required i64 writeLimit;         // bytes a second; 0: none
  14: optional double admitThreshold;  // what is not there is without bound
  15: optional double horizonSeconds;
  16: required i64 flashWrittenBytes;  // in the flash's life, as far as this node remembers it
  17: required i64 flashEndurance;     // bytes it may be written in its life; 0: nobody said
  18: required i32 devices;            // flash files: all, and those in use
  19: required i32 devicesInUse;
  20: required bool followsGms;
  21: required bool gmsAnswers;
  22: optional ExperimentArm arm;
  23: optional string trace;           // the file that requests are recorded in now
}

/** One setting of the control plane, by the name it has in a node's configuration. */
struct NodeParameter {
  1: required string name;             // "policy.min_admit_threshold"
  2: required string value;            // as a configuration file has it
  3: required string help;
  4: required string configured;       // what the node was started with
  5: required string source;           // of what is in force: "config", "gms" or "live"
}

/** Why a miss would be admitted or refused now. What is not there is without bound, or not known. */
struct Explanation {
  1: required string policy;
  2: required string bucket;
  3: required double totalBytes;       // read in the window; what one job reads twice counts once
  4: required double uniqueBytes;
  5: required double historic;
  6: required double future;
  7: required double hybrid;
  8: required double priority;         // by the policy in force
  9: optional double admitThreshold;
  10: optional double reinsertThreshold;
  11: optional double horizonSeconds;
  12: optional double secondsToNextUse;
  13: required i32 knownReaders;
  14: required bool roomLeft;
  15: required bool admit;
  16: required string reason;
  17: required string words;
  18: required string remedy;          // what would have to change for the other decision
}

/** A file's block, and how much of it is cached here. */
struct BlockPlace {
  1: required string path;             // normalised
  2: required string version;
  3: required i64 fileSize;
  4: required i64 blockIndex;
  5: required i64 blockOffset;         // where in the file it begins
  6: required i64 blockLength;
  7: required i64 blockIdHigh;
  8: required i64 blockIdLow;
  9: required i64 cachedBytes;
}

/** One bucket as the control plane sees it, and what was served from it. */
struct BucketView {
  1: required Traffic traffic;
  2: required double totalBytes;
  3: required double uniqueBytes;
  4: required double historic;
  5: required double future;
  6: required double hybrid;
  7: required double priority;
  8: required string decision;         // "admit", "refuse", or "by block" where the policy decides so
}

struct Eviction {
  1: required i64 files;
  2: required i64 segments;
  3: required i64 bytes;
}

struct Verification {
  1: required i64 segments;            // looked at in this step
  2: required i64 bytes;
  3: required i64 failures;            // did not pass their checksum, and are gone
  4: optional string cursor;           // there is more, from here on
}

struct TraceInfo {
  1: required string file;             // on the node's host
  2: required i64 requests;
  3: required i64 bytes;
  4: required i64 leftOut;             // requests beyond the limit
}

/** Nothing was changed, or nothing can be told, because of these. */
exception Refused {
  1: required list<string> faults;
}

service NodeAdmin {
  NodeStatus getStatus();
  list<NodeCounter> getCounters();
  list<Traffic> getTrafficByBucket();
  list<Traffic> getTrafficByJob();
  /** The buckets that are asked for most often, at most so many; 0: all. */
  list<BucketView> getBuckets(1: i32 limit);
  /** The last hour, the oldest first; only what is younger than this time. */
  list<HistoryPoint> getHistory(1: i64 afterMs);

  /** The settings that can be changed while the node runs. */
  list<NodeParameter> getParameters();
  /**
   * All of them or, if one cannot be, none. In force from the next decision on, before what the GMS says. With a state
   * file they survive a restart. `dryRun`: nothing is changed, but faults are told.
   */
  void setParameters(1: map<string, string> values, 2: bool dryRun) throws (1: Refused refused);
  /** What was set by setParameters is so no more; no name: nothing that was. */
  void resetParameters(1: list<string> names) throws (1: Refused refused);

  /** The block at this offset of a file, asked for by this job. */
  Explanation explain(1: string path, 2: i64 offset, 3: string job) throws (1: Refused refused);
  /** The same block: its identity, and what is cached of it. */
  BlockPlace locate(1: string path, 2: i64 offset) throws (1: Refused refused);

  /** Records every request from now on, up to so many bytes. One recording at a time. */
  TraceInfo startTrace(1: i64 maxBytes) throws (1: Refused refused);
  TraceInfo stopTrace() throws (1: Refused refused);
  /** A piece of the recording that was stopped last; empty at its end. */
  binary readTrace(1: i64 offset, 2: i32 length) throws (1: Refused refused);

  /** Forgets what is cached of a file, or of all files at or below a directory; "" is the whole cache. */
  Eviction evict(1: string path) throws (1: Refused refused);
  /** Makes durable what is cached. */
  void flushCache() throws (1: Refused refused);
  /** Reads some of what is on flash, from the cursor on, and checks it. */
  Verification verifyCache(1: string cursor) throws (1: Refused refused);
}
