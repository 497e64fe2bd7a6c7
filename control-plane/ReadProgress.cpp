#include "control-plane/ReadProgress.h"

#include <algorithm>

namespace shift::control {

namespace {

/** Weight of the newest measurement. */
constexpr double kNewest = 0.3;
/** Weight of one block in the share of jumps. */
constexpr double kOneBlock = 1.0 / 32;

}  // namespace

void ReadProgress::resize(std::uint32_t blocks) {
  blocks_ = blocks;
  bits_.resize((blocks + 63) / 64);
}

void ReadProgress::mark(std::uint32_t rank) {
  std::uint64_t& word = bits_[rank / 64];
  const std::uint64_t bit = std::uint64_t{1} << (rank % 64);
  count_ += (word & bit) == 0 ? 1 : 0;
  word |= bit;
}

bool ReadProgress::add(std::uint32_t rank, double offset, double now) {
  if (lastRead_ == 0) {
    measured_ = now;
  }
  lastRead_ = std::max(lastRead_, now);
  if (contains(rank)) {
    return isRewind(rank, offset, now);
  }
  mark(rank);
  noteNewest(rank);
  ++newSinceMeasure_;
  bool behind = false;
  ReadStream* stream = streamNear(rank, behind);
  jumps_ *= 1 - kOneBlock;
  if (stream == nullptr) {
    // The first few streams are the job's readers taking up their splits.
    jumps_ += streams_.size() < 8 ? 0 : kOneBlock;
    startStream(rank, offset, now);
  } else if (behind) {
    jumps_ += stream->lastRank - rank > kStep ? kOneBlock : 0;
    ++stream->blocks;
    stream->lastTime = std::max(stream->lastTime, now);
  } else {
    jumps_ += rank - stream->lastRank > kStep ? kOneBlock : 0;
    stream->lastRank = rank;
    stream->lastOffset = offset;
    stream->lastTime = now;
    ++stream->blocks;
  }
  return true;
}

void ReadProgress::noteNewest(std::uint32_t rank) {
  if (newest_.size() < kMaxStreams) {
    newest_.push_back(rank);
  } else {
    newest_[nextNewest_] = rank;
    nextNewest_ = (nextNewest_ + 1) % kMaxStreams;
  }
}

bool ReadProgress::isNextPass(std::uint32_t rank) const {
  if (!isNearlyAll() || !contains(rank)) {
    return false;
  }
  // The readers of the last blocks go on asking for them. In a short partition, half of it must be past that.
  const std::size_t recent = std::min<std::size_t>(newest_.size(), std::max(1U, blocks_ / 2));
  for (std::size_t i = 1; i <= recent; ++i) {
    if (newest_[(nextNewest_ + newest_.size() - i) % newest_.size()] == rank) {
      return false;
    }
  }
  return true;
}

void ReadProgress::beginPass() {
  std::ranges::fill(bits_, 0);
  count_ = 0;
  streams_.clear();
  newest_.clear();
  nextNewest_ = 0;
  rewindRank_ = -1;
}

ReadStream* ReadProgress::streamNear(std::uint32_t rank, bool& behind) {
  ReadStream* best = nullptr;
  std::uint32_t distance = kNear + 1;
  for (ReadStream& stream : streams_) {
    if (stream.lastRank <= rank && rank - stream.lastRank < distance) {
      distance = rank - stream.lastRank;
      best = &stream;
    }
  }
  if (best != nullptr) {
    return best;
  }
  for (ReadStream& stream : streams_) {
    if (stream.lastRank > rank && stream.lastRank - rank <= kNear) {
      behind = true;
      return &stream;
    }
  }
  return nullptr;
}

bool ReadProgress::isRewind(std::uint32_t rank, double offset, double now) {
  for (const ReadStream& stream : streams_) {
    const std::uint32_t distance = rank > stream.lastRank ? rank - stream.lastRank : stream.lastRank - rank;
    if (distance <= kNear) {
      return false;  // further requests for a block that is being read
    }
  }
  if (rewindRank_ < 0 || rank <= rewindRank_ || rank - rewindRank_ > kNear) {
    rewindRank_ = rank;  // one block proves nothing; the next will tell
    return false;
  }
  // Two neighbours are read again: a new pass, which leads through all that was read from here on.
  rewindRank_ = -1;
  const std::uint32_t from = rank + 1;
  std::uint32_t to = from;
  while (to < blocks_ && contains(to)) {
    bits_[to / 64] &= ~(std::uint64_t{1} << (to % 64));
    --count_;
    ++to;
  }
  std::erase_if(streams_,
                [&](const ReadStream& stream) { return stream.lastRank >= from && stream.lastRank < to; });
  startStream(rank, offset, now);
  return true;
}

void ReadProgress::startStream(std::uint32_t rank, double offset, double now) {
  if (streams_.size() == kMaxStreams) {
    streams_.erase(std::ranges::min_element(streams_, {}, &ReadStream::lastTime));
  }
  streams_.push_back({.firstRank = rank,
                      .lastRank = rank,
                      .firstOffset = offset,
                      .lastOffset = offset,
                      .lastTime = now,
                      .blocks = 1,
                      .markOffset = offset,
                      .markTime = now});
}

void ReadProgress::measure(double now) {
  for (ReadStream& stream : streams_) {
    const double span = stream.lastTime - stream.markTime;
    if (span > 0 && stream.lastOffset > stream.markOffset) {
      const double rate = (stream.lastOffset - stream.markOffset) / span;
      stream.rate = stream.rate == 0 ? rate : (1 - kNewest) * stream.rate + kNewest * rate;
      stream.markOffset = stream.lastOffset;
      stream.markTime = stream.lastTime;
    }
  }
  const double span = now - measured_;
  if (span > 0 && lastRead_ > 0) {
    const double rate = newSinceMeasure_ / span;
    if (rate > 0) {
      blockRate_ = everMeasured_ ? (1 - kNewest) * blockRate_ + kNewest * rate : rate;
      everMeasured_ = true;
    }
    newSinceMeasure_ = 0;
    measured_ = now;
  }
}

}  // namespace shift::control
