#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace shift::node {

/**
 * A bound on the bytes that all gets together may be about to send. A get reserves what it may send; the
 * reservation travels with the answer and is given back when the last byte is sent or the connection is gone.
 * Thread-safe.
 */
class InFlightBytes {
 public:
  /** May outlive the InFlightBytes it came from. */
  class Reservation {
   public:
    Reservation() = default;
    Reservation(Reservation&&) noexcept = default;
    Reservation& operator=(Reservation&& other) noexcept {
      std::swap(used_, other.used_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Reservation() {
      if (used_ != nullptr) {
        used_->fetch_sub(bytes_, std::memory_order_relaxed);
      }
    }
    explicit operator bool() const { return used_ != nullptr; }

   private:
    friend class InFlightBytes;
    Reservation(std::shared_ptr<std::atomic<std::uint64_t>> used, std::uint64_t bytes)
        : used_(std::move(used)), bytes_(bytes) {}

    std::shared_ptr<std::atomic<std::uint64_t>> used_;
    std::uint64_t bytes_ = 0;
  };

  explicit InFlightBytes(std::uint64_t limit) : limit_(limit) {}

  /** Empty if the limit would be passed. */
  Reservation reserve(std::uint64_t bytes) {
    if (bytes > limit_) {
      return {};
    }
    Reservation reservation(used_, bytes);
    const bool fits = used_->fetch_add(bytes, std::memory_order_relaxed) <= limit_ - bytes;
    return fits ? std::move(reservation) : Reservation();
  }

  std::uint64_t used() const { return used_->load(std::memory_order_relaxed); }

 private:
  const std::uint64_t limit_;
  const std::shared_ptr<std::atomic<std::uint64_t>> used_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

}  // namespace shift::node
