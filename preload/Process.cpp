#include "preload/Process.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "preload/Settings.h"

namespace shift::preload {

constinit std::atomic<Process*> currentProcess{nullptr};

bool Process::isOwnedByCaller() {
  const pid_t self = ::getpid();
  pid_t known = owner.load(std::memory_order_relaxed);
  if (known == 0) {  // after a fork
    owner.compare_exchange_strong(known, self, std::memory_order_relaxed);
    known = owner.load(std::memory_order_relaxed);
  }
  return known == self;
}

bool makeProcess() {
  // Pages that are never touched cost nothing.
  void* const memory = ::mmap(nullptr, sizeof(Process), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || ::madvise(memory, sizeof(Process), MADV_WIPEONFORK) != 0) {
    warn("reads are not redirected: memory that a fork wipes: %s", strerrordesc_np(errno));
    return false;
  }
  auto* const made = static_cast<Process*>(memory);
  made->owner.store(::getpid(), std::memory_order_relaxed);
  currentProcess.store(made, std::memory_order_release);
  return true;
}

}  // namespace shift::preload
