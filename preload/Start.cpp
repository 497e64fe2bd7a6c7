#include <pthread.h>

#include "preload/Inside.h"
#include "preload/OwnDescriptors.h"
#include "preload/Process.h"
#include "preload/RealCalls.h"
#include "preload/Settings.h"

namespace shift::preload {

constinit thread_local bool threadIsInside = false;

namespace {

/** The client's threads are the parent's; so are its connections, of which the node shall not wait for two
 * ends.
 */
void afterForkInChild() {
  threadIsInside = false;
  closeInherited();
  if (Process* const here = process()) {
    here->isOwnedByCaller();
  }
}

/** Runs when the library is loaded. Calls before that go to the functions behind, as do all if this fails. */
__attribute__((constructor)) void start() {
  const Inside inside;
  real();
  if (readSettings() && pthread_atfork(nullptr, nullptr, afterForkInChild) == 0) {
    makeProcess();
  }
}

}  // namespace
}  // namespace shift::preload
