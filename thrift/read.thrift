/**
 * The node's read protocol. Bulk bytes do not travel inside Thrift: a frame is a fixed 16-byte prefix, one of these
 * structs in Thrift's compact encoding, and then the raw bytes (see read-protocol/Frame.h), so that a client receives
 * straight into its caller's buffer.
 */
namespace cpp shift.wire

/** Who compares what is sent with its checksums. */
enum Verifier {
  NODE = 0,        // the node sends nothing that it has not verified since it read it from a device
  CLIENT = 1,      // the client, all of it; the node may leave whole segments to it
  NODE_ANEW = 2,   // the client got what did not pass: the node verifies its own copy, and drops it if it is spoilt
}

/** A range of one block. What is here beside the range are the tags the control plane decides by. */
struct GetRequest {
  1: required i64 requestId;    // chosen by the client, returned in the answer
  2: required i64 blockHigh;    // the block's id; the node computes it anew from the fields below and compares
  3: required i64 blockLow;
  4: required string store;
  5: required string path;      // below the store's root, normalised
  6: required string version;   // the file's version token, as the client sees it
  7: required i64 fileSize;
  8: required i64 blockSize;
  9: required i64 blockIndex;
  10: required i64 offset;      // within the block
  11: required i64 length;
  12: optional string job;
  13: optional i32 deadlineMs;  // how long the client will wait, from now on
  14: optional bool wantsFilling = false;  // the client wants to hear FILLING
  15: optional i64 taken;                  // see Taken; of a get that is not in a batch
  16: optional i32 verifier;               // a Verifier; NODE if it is not there or not known
}

/** Many ranges at once: of a getBatch, a probe or a prefetch. */
struct BatchRequest {
  1: required i64 requestId;         // of the whole; a getBatch is answered range by range, under the ranges' own ids
  2: required list<GetRequest> gets;
  3: optional bool inOrder = false;  // of a getBatch: answer in the order of the list, not as they come
  4: optional i64 taken;             // see Taken
}

/**
 * How many of the frames that the node has sent on this connection the client has received whole. A node may send to a
 * client that says so without copying: the kernel then hands out the node's own memory, which must stay as it is until
 * the client has it. Requests bring the number along; a connection that falls idle says it in a frame of its own, which
 * is not answered. Such a client takes everything or closes the connection; it never shuts down its half of it and
 * reads on.
 */
struct Taken {
  1: required i64 frames;
}

/** Enums travel as plain numbers: one that this release does not know must survive the wire. */
enum ReadStatus {
  HIT = 0,      // the bytes follow
  REFUSED = 1,  // not cached, and will not be fetched for you: read it from the backing store
  BUSY = 2,     // overloaded or too late: read it from the backing store
  ERROR = 3,    // the request makes no sense; `reason` says why
  FILLING = 4,  // not the answer yet: the node is fetching it, and the answer follows under the same id
}

struct ReadAnswer {
  1: required i64 requestId;
  2: required i32 status;               // a ReadStatus; what is unknown is a miss
  3: optional string reason;            // why it is not a hit
  4: optional i32 segmentSize;          // with HIT: the node's segment size
  5: optional list<i64> checksums;      // with HIT: one per segment touched, over the bytes of it that follow
}

/** What a probe or a prefetch says of one range. */
enum RangeOutcome {
  ABSENT = 0,   // not all of it is here
  PRESENT = 1,  // all of it is here
  QUEUED = 2,   // will be fetched when nobody waits for anything else
  REFUSED = 3,  // will not be fetched: the control plane does not want it
  BUSY = 4,     // will not be fetched: too much is waiting
  ERROR = 5,    // makes no sense
}

struct BatchAnswer {
  1: required i64 requestId;
  2: required list<i32> outcomes;  // a RangeOutcome for each range, in the order of the request
}
