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

service NodeAdmin {
  NodeStatus getStatus();
  list<NodeCounter> getCounters();
  list<Traffic> getTrafficByBucket();
  list<Traffic> getTrafficByJob();
}
