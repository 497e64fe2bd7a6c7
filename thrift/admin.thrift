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
}

struct NodeCounter {
  1: required string name;
  2: required string help;
  3: required i64 value;
}

struct NodeStatus {
  1: required string id;
  2: required string engine;
  3: required i64 capacityBytes;
  4: required i64 usedBytes;
  5: required i64 segments;
  6: required i32 segmentSize;
  7: required string policy;
}

/** One setting of the control plane, by the name it has in a node's configuration. */
struct NodeParameter {
  1: required string name;             // "policy.min_admit_threshold"
  2: required string value;            // as a configuration file has it
  3: required string help;
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

  /** The settings that can be changed while the node runs. Empty if its policy is admit-all. */
  list<NodeParameter> getParameters();
  /** All of them or, if one cannot be, none. In force from the next decision on; lost at a restart. */
  void setParameters(1: map<string, string> values) throws (1: Refused refused);
  /** The block at this offset of a file, asked for by this job. */
  Explanation explain(1: string path, 2: i64 offset, 3: string job) throws (1: Refused refused);
}
