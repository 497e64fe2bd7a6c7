#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "client-lib/shift.h"
#include "preload/DescriptorTable.h"

namespace shift::preload {

/**
 * What belongs to one process and must not be inherited. It lies in memory that the kernel wipes in the child
 * of a fork, however the fork was made: the child has no client, and knows no descriptor, from its first
 * instruction on. No lock is there to be found locked. All zero bits are the beginning.
 */
struct Process {
  enum class Tier : std::uint32_t { kNotStarted, kStarting, kServing, kOff };

  std::atomic<pid_t> owner;
  std::atomic<Tier> tier;
  std::atomic<shift_client*> client;
  std::atomic<std::int32_t> forks;           // under way: meanwhile no client is made
  std::atomic<std::int32_t> calls;           // into the client, under way
  std::atomic<std::int32_t> ownDescriptors;  // that the client holds
  std::atomic<std::int32_t> highestEntry;    // no entry above it was ever set
  DescriptorTable::Entry entries[DescriptorTable::kSize];

  DescriptorTable table() { return DescriptorTable(entries); }

  /** False in the child of a vfork, which runs in its parent's memory and must leave it alone. */
  bool isOwnedByCaller();
};

extern constinit std::atomic<Process*> currentProcess;

/** Null as long as nothing is to be redirected. */
inline Process* process() {
  return currentProcess.load(std::memory_order_acquire);
}

/** Makes the memory. False if the kernel cannot wipe it in children; that was said. */
bool makeProcess();

}  // namespace shift::preload
