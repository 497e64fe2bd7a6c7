#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "common/Result.h"
#include "net/PageSender.h"
#include "shift-node/DataPlane.h"
#include "shift-node/server/InFlightBytes.h"

namespace shift::node {

/** A frame on its way to a client. */
struct OutgoingFrame {
  std::string header;
  std::vector<AnswerSlice> slices;
  InFlightBytes::Reservation reservation;
  InFlightBytes::Reservation loan;  // not empty: the slices are lent, not copied
};

/**
 * What one connection has to send, in order, and what it has lent: sent from the cached segments' own pages,
 * without a copy. What is lent is held until the client has taken it or its end is closed. One thread.
 */
class Output {
 public:
  enum class Outcome {
    kAll,      // there is nothing left to send
    kBlocked,  // the socket takes no more for now
    kGone,     // the client's end is closed
    kFailed,   // the client may still be there and read what was lent
  };

  /** `pages` outlives it; null: everything is copied. */
  explicit Output(net::PageSender* pages) : pages_(pages) {}
  /** What is lent then stays in memory for good: the client may still copy from it, and nobody will tell when
   * it has. */
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void put(OutgoingFrame frame);
  /** Sends what the socket takes. */
  Outcome send(int socket);

  /** The client has received so many frames. An error if they were never sent. */
  Status took(std::int64_t frames);
  /** Whether a frame may have a loan: the client says what it takes. */
  bool mayLend() const { return saysWhatItTook_ && pages_ != nullptr; }
  bool hasLent() const { return !lent_.empty(); }

  bool empty() const { return frames_.empty(); }
  std::size_t unsentBytes() const { return unsentBytes_; }

  /** What is not sent will not be. */
  void dropUnsent();
  /** Nobody reads what was lent, or waits for more. */
  void clientIsGone();

 private:
  struct Unsent {
    OutgoingFrame frame;
    std::size_t size = 0;  // header and slices
  };
  /** Handed to the kernel, and not known to be taken. */
  struct Lent {
    std::uint64_t number = 0;  // of the frame on this connection, from 1
    std::vector<AnswerSlice> slices;
    InFlightBytes::Reservation loan;
  };

  /** Both: some of the first bytes; the result is sendmsg(2)'s. */
  ssize_t sendCopies(int socket);
  ssize_t sendPages(int socket);
  /** So many bytes more are with the kernel. */
  void advance(std::size_t sent);
  void lend(std::uint64_t number, OutgoingFrame& frame);

  net::PageSender* const pages_;
  std::deque<Unsent> frames_;
  std::size_t frontSent_ = 0;  // bytes of frames_.front() that are sent
  std::size_t unsentBytes_ = 0;
  std::uint64_t framesSent_ = 0;
  std::deque<Lent> lent_;
  bool saysWhatItTook_ = false;
};

}  // namespace shift::node
