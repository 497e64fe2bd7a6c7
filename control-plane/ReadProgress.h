#pragma once

#include <cstdint>
#include <vector>

namespace shift::control {

/** A place where a job reads on, block after block: one of its readers, or several that share a queue. */
struct ReadStream {
  std::uint32_t firstRank = 0;
  std::uint32_t lastRank = 0;
  double firstOffset = 0;
  double lastOffset = 0;
  double lastTime = 0;
  double rate = 0;  // bytes of the listing per second; 0 = not known yet
  std::uint32_t blocks = 0;
  double markOffset = 0;  // where the rate was last measured
  double markTime = 0;
};

/**
 * How far one job has come in one partition: the set of blocks it has read (one bit each), and the streams in
 * which it reads on. Blocks are numbered by rank, their place in the order in which the job is expected to
 * read; `offset` is the same in bytes. Times in seconds. Not thread-safe.
 *
 * Copes with several readers on splits of their own, with readers that take files from one queue, with blocks
 * skipped or read a little out of order, and with a job that goes back and reads again what it has read.
 */
class ReadProgress {
 public:
  /** Blocks so near to each other in rank count as neighbours. */
  static constexpr std::uint32_t kNear = 16;
  /** Further than this from any stream is a jump: a job that keeps to an order makes few. */
  static constexpr std::uint32_t kStep = 4;
  static constexpr std::size_t kMaxStreams = 32;

  void resize(std::uint32_t blocks);

  /** The job asks for (a part of) the block. Returns whether that is news: its first touch, or a new pass. */
  bool add(std::uint32_t rank, double offset, double now);

  /** Marks as read without any notion of when. */
  void mark(std::uint32_t rank);

  /** Whether a request for this block can only mean that the job, through with all of it, begins again. */
  bool isNextPass(std::uint32_t rank) const;
  /** Forgets what was read, but not how fast. */
  void beginPass();

  /** 99 % count as all: jobs leave out a file here and there. */
  bool isNearlyAll() const { return count_ * 100.0 >= blocks_ * 99.0; }
  bool contains(std::uint32_t rank) const { return (bits_[rank / 64] >> (rank % 64) & 1) != 0; }
  std::uint32_t count() const { return count_; }
  std::uint32_t blocks() const { return blocks_; }

  /** Takes the rates of the streams anew; to be called every few seconds. */
  void measure(double now);

  const std::vector<ReadStream>& streams() const { return streams_; }
  double lastRead() const { return lastRead_; }
  /** Blocks newly read per second. */
  double blockRate() const { return blockRate_; }
  /** Whether the job jumps about, so that its streams say nothing of where it will read next. */
  bool isDisordered() const { return jumps_ > 0.5; }

 private:
  ReadStream* streamNear(std::uint32_t rank, bool& behind);
  bool isRewind(std::uint32_t rank, double offset, double now);
  void noteNewest(std::uint32_t rank);
  void startStream(std::uint32_t rank, double offset, double now);

  std::vector<std::uint64_t> bits_;
  std::uint32_t blocks_ = 0;
  std::uint32_t count_ = 0;
  std::vector<ReadStream> streams_;
  std::vector<std::uint32_t> newest_;  // blocks, the last ones that were news; a ring of kMaxStreams
  std::size_t nextNewest_ = 0;
  double lastRead_ = 0;
  double jumps_ = 0;  // share of recent blocks that no stream led to
  double blockRate_ = 0;
  std::uint32_t newSinceMeasure_ = 0;
  double measured_ = 0;
  bool everMeasured_ = false;
  std::int64_t rewindRank_ = -1;  // a block read again, which may be the first of a new pass
};

}  // namespace shift::control
