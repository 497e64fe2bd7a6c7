#include "preload/RealCalls.h"

#include <dlfcn.h>

#include <atomic>

namespace shift::preload {
namespace {

RealCalls calls;
std::atomic<bool> isFound{false};

template <typename Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/** Threads that come here at once write the same. On 64-bit systems the names with 64 are the same functions.
 */
__attribute__((cold, noinline)) void findAll() {
  find(calls.read, "read");
  find(calls.pread, "pread");
  find(calls.readv, "readv");
  find(calls.preadv, "preadv");
  find(calls.preadv2, "preadv2");
  find(calls.readChecked, "__read_chk");
  find(calls.preadChecked, "__pread_chk");
  find(calls.copyFileRange, "copy_file_range");
  find(calls.open, "open");
  find(calls.openat, "openat");
  find(calls.openChecked, "__open_2");
  find(calls.openatChecked, "__openat_2");
  find(calls.creat, "creat");
  find(calls.dup2, "dup2");
  find(calls.dup3, "dup3");
  find(calls.close, "close");
  find(calls.closeRange, "close_range");
  find(calls.fclose, "fclose");
  find(calls.freopen, "freopen");
  find(calls.socket, "socket");
  find(calls.pthreadCreate, "pthread_create");
  isFound.store(true, std::memory_order_release);
}

}  // namespace

const RealCalls& real() {
  if (!isFound.load(std::memory_order_acquire)) {
    findAll();
  }
  return calls;
}

}  // namespace shift::preload
