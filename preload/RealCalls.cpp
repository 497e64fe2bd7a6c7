#include "preload/RealCalls.h"

#include <dlfcn.h>

namespace shift::preload::real_calls {
namespace {

template <typename Function>
void take(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

constinit RealCalls calls{};
constinit std::atomic<bool> areFound{false};

/** Threads that come here at once write the same. On 64-bit systems the names with 64 are the same functions.
 */
__attribute__((cold)) void find() {
  take(calls.read, "read");
  take(calls.pread, "pread");
  take(calls.readv, "readv");
  take(calls.preadv, "preadv");
  take(calls.preadv2, "preadv2");
  take(calls.readChecked, "__read_chk");
  take(calls.preadChecked, "__pread_chk");
  take(calls.copyFileRange, "copy_file_range");
  take(calls.open, "open");
  take(calls.openat, "openat");
  take(calls.openChecked, "__open_2");
  take(calls.openatChecked, "__openat_2");
  take(calls.creat, "creat");
  take(calls.dup2, "dup2");
  take(calls.dup3, "dup3");
  take(calls.close, "close");
  take(calls.closeRange, "close_range");
  take(calls.fclose, "fclose");
  take(calls.freopen, "freopen");
  take(calls.socket, "socket");
  take(calls.pthreadCreate, "pthread_create");
  areFound.store(true, std::memory_order_release);
}

}  // namespace shift::preload::real_calls
