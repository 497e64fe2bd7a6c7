#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace shift::bench {

/** What one thread reads through. Throws std::runtime_error, naming the fault, where a read does not give the
 * whole item. */
class Session {
 public:
  virtual ~Session() = default;
  /** The bytes of one item of the data set, straight into the caller's memory, which is as large as an item.
   */
  virtual void read(std::size_t item, std::span<std::byte> into) = 0;
};

/** A server that holds the data set in memory, and the way to it. Runs until the destructor. */
class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual std::string name() const = 0;
  /** A session of its own for each thread, connected. From one thread at a time. */
  virtual std::unique_ptr<Session> connect() = 0;
  /** Processor time so far of server processes; those of this process are not among them. */
  virtual double serverCpuSeconds() const = 0;
};

}  // namespace shift::bench
