#include <pthread.h>

#include <ctime>

#include "preload/Inside.h"
#include "preload/OwnDescriptors.h"
#include "preload/Process.h"
#include "preload/RealCalls.h"
#include "preload/Settings.h"

namespace shift::preload {

constinit thread_local bool threadIsInside __attribute__((tls_model("initial-exec"))) = false;

namespace {

/**
 * While a thread makes the client, libraries are half loaded and their statics half made, which a child could
 * never mend: a fork waits for it, and it does not begin during one. It takes milliseconds; with a GMS that
 * does not answer, seconds.
 */
void beforeFork() {
  constexpr timespec kMillisecond{0, 1'000'000};
  constexpr int kPatience = 5000;
  Process& here = *process();
  here.forks.fetch_add(1);
  for (int i = 0; i < kPatience && here.tier.load() == Process::Tier::kStarting && !threadIsInside; ++i) {
    ::nanosleep(&kMillisecond, nullptr);
  }
}

void afterForkInParent() {
  process()->forks.fetch_sub(1);
}

/** The client is the parent's, and so are its connections, which nodes must see closed when the parent ends.
 */
void afterForkInChild() {
  threadIsInside = false;
  closeInherited();
  process()->isOwnedByCaller();  // from the first fork of the child on, its own children are told apart
}

/** Runs when the library is loaded. Calls before that go to the functions behind, as do all if this fails. */
__attribute__((constructor)) void start() {
  const Inside inside;
  real();
  if (readSettings() && makeProcess()) {
    pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
  }
}

}  // namespace
}  // namespace shift::preload
