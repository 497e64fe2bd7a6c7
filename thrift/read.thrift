/**
 * The node's read protocol. Bulk bytes do not travel inside Thrift: a frame is a fixed 16-byte prefix, one of these
 * structs in Thrift's compact encoding, and then the raw bytes (see read-protocol/Frame.h), so that a client receives
 * straight into its caller's buffer.
 */
namespace cpp shift.wire

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
}

/** Enums travel as plain numbers: one that this release does not know must survive the wire. */
enum ReadStatus {
  HIT = 0,      // the bytes follow
  REFUSED = 1,  // not cached, and will not be fetched for you: read it from the backing store
  BUSY = 2,     // overloaded or too late: read it from the backing store
  ERROR = 3,    // the request makes no sense; `reason` says why
}

struct ReadAnswer {
  1: required i64 requestId;
  2: required i32 status;               // a ReadStatus; what is unknown is a miss
  3: optional string reason;            // why it is not a hit
  4: optional i32 segmentSize;          // with HIT: the node's segment size
  5: optional list<i64> checksums;      // with HIT: one per segment touched, over the bytes of it that follow
}
