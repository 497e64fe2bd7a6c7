#include "client-lib/ReadAhead.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace shift::client {

ReadAheadPool::ReadAheadPool(std::uint32_t threads, std::uint64_t maxBytes) : maxBytes_(maxBytes) {
  for (std::uint32_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { work(); });
  }
}

ReadAheadPool::~ReadAheadPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
}

bool ReadAheadPool::reserve(std::uint64_t bytes) {
  std::lock_guard lock(mutex_);
  const bool fits = usedBytes_ + bytes <= maxBytes_;
  usedBytes_ += fits ? bytes : 0;
  return fits;
}

void ReadAheadPool::giveBack(std::uint64_t bytes) {
  std::lock_guard lock(mutex_);
  usedBytes_ -= bytes;
}

void ReadAheadPool::run(std::function<void()> task) {
  {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void ReadAheadPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
    if (stopping_) {
      return;
    }
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // gives its memory back, for which it needs the lock
    lock.lock();
  }
}

/** A part of the file that is being read ahead, or has been. Its fields are guarded by the owner's mutex, but
 * for the bytes, which belong to whoever loads them until isLoaded. */
struct ReadAhead::Piece {
  Piece(ReadAheadPool& from, std::uint64_t at, std::uint64_t length)
      : pool(from), offset(at), size(length), bytes(std::make_unique_for_overwrite<std::byte[]>(length)) {}
  ~Piece() { pool.giveBack(size); }

  ReadAheadPool& pool;
  const std::uint64_t offset;
  const std::uint64_t size;
  const std::unique_ptr<std::byte[]> bytes;
  bool isWanted = true;
  bool isBegun = false;
  bool isLoaded = false;
  bool isGood = false;
};

ReadAhead::ReadAhead(ReadAheadPool& pool, std::uint64_t window, std::uint64_t fileSize, Read read)
    : pool_(pool),
      window_(window),
      pieceBytes_(std::min(kMaxPieceBytes, window)),
      fileSize_(fileSize),
      read_(std::move(read)) {}

std::size_t ReadAhead::take(std::span<std::byte> into, std::uint64_t offset) {
  std::unique_lock lock(mutex_);
  if (isClosed_ || into.empty()) {
    return 0;
  }
  if (offset != expected_) {
    inARow_ = 0;
    dropLocked();
  }
  ++inARow_;
  expected_ = offset + into.size();
  if (inARow_ >= kReadsInARow) {
    extendLocked(expected_);
  }
  std::size_t taken = 0;
  while (taken < into.size() && !pieces_.empty()) {
    const std::uint64_t at = offset + taken;
    const std::shared_ptr<Piece> piece = pieces_.front();
    if (at < piece->offset) {
      break;
    }
    if (at < piece->offset + piece->size) {
      piece->isWanted = piece->isBegun;  // one that still waits for a thread is read sooner by the caller
      loaded_.wait(lock, [&] { return piece->isLoaded || !piece->isWanted; });
      if (!piece->isGood) {
        break;
      }
      const std::size_t from = at - piece->offset;
      const std::size_t count = std::min(into.size() - taken, static_cast<std::size_t>(piece->size - from));
      // Copied under the lock: another thread that seeks meanwhile may drop the piece, but not while it is
      // held.
      std::memcpy(into.data() + taken, piece->bytes.get() + from, count);
      taken += count;
    }
    if (offset + taken >= piece->offset + piece->size && !pieces_.empty() && pieces_.front() == piece) {
      pieces_.pop_front();
    }
  }
  return taken;
}

void ReadAhead::cancel() {
  std::unique_lock lock(mutex_);
  isClosed_ = true;
  dropLocked();
  loaded_.wait(lock, [this] { return loading_ == 0; });
}

void ReadAhead::dropLocked() {
  for (const std::shared_ptr<Piece>& piece : pieces_) {
    piece->isWanted = false;
  }
  pieces_.clear();
  end_ = 0;
  loaded_.notify_all();
}

void ReadAhead::extendLocked(std::uint64_t from) {
  end_ = std::max(end_, from);
  const std::uint64_t until = std::min(from + window_, fileSize_);
  while (end_ < until) {
    const std::uint64_t size = std::min(pieceBytes_, fileSize_ - end_);
    if (end_ + size > until && size == pieceBytes_) {
      break;  // whole pieces only, save the last of the file
    }
    if (!pool_.reserve(size)) {
      break;
    }
    auto piece = std::make_shared<Piece>(pool_, end_, size);
    pieces_.push_back(piece);
    end_ += size;
    pool_.run([self = shared_from_this(), piece] { self->load(piece); });
  }
}

void ReadAhead::load(const std::shared_ptr<Piece>& piece) {
  {
    std::lock_guard lock(mutex_);
    if (!piece->isWanted) {
      return;
    }
    piece->isBegun = true;
    ++loading_;
  }
  const std::size_t got = read_({piece->bytes.get(), piece->size}, piece->offset);
  std::lock_guard lock(mutex_);
  --loading_;
  piece->isLoaded = true;
  piece->isGood = got == piece->size;
  loaded_.notify_all();
}

}  // namespace shift::client
