#include "preload/Tier.h"

#include <dlfcn.h>

#include <climits>
#include <cstdlib>
#include <cstring>

#include "preload/Inside.h"
#include "preload/OwnDescriptors.h"
#include "preload/Settings.h"

namespace shift::preload {
namespace {

/** The functions of libshift.so that are needed here. A fork's child finds them where its parent did. */
struct Library {
  decltype(&shift_client_new) newClient;
  decltype(&shift_client_free) freeClient;
  decltype(&shift_store_root) storeRoot;
  decltype(&shift_open_fd) openDescriptor;
  decltype(&shift_close) close;
  decltype(&shift_pread) pread;
  decltype(&shift_preadv) preadv;
};
Library library;
char storeRoot[PATH_MAX];
bool endIsAwaited = false;

template <typename Function>
bool find(void* loaded, Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(loaded, name));
  return function != nullptr;
}

bool load() {
  // By the run path of this library: from the directory that it lies in itself.
  void* const loaded = dlopen("libshift.so", RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr || !find(loaded, library.newClient, "shift_client_new") ||
      !find(loaded, library.freeClient, "shift_client_free") ||
      !find(loaded, library.storeRoot, "shift_store_root") ||
      !find(loaded, library.openDescriptor, "shift_open_fd") || !find(loaded, library.close, "shift_close") ||
      !find(loaded, library.pread, "shift_pread") || !find(loaded, library.preadv, "shift_preadv")) {
    const char* const fault = dlerror();
    warn("reads are not redirected: %s", fault == nullptr ? "libshift.so" : fault);
    return false;
  }
  return true;
}

/** A call into the client. The client stays for as long as there is one. */
class Call {
 public:
  explicit Call(Process& process) : process_(process) {
    process_.calls.fetch_add(1);
    client_ = process_.tier.load() == Process::Tier::kServing ? process_.client.load() : nullptr;
  }
  ~Call() { process_.calls.fetch_sub(1); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  shift_client* client() const { return client_; }

 private:
  const Inside inside_;
  Process& process_;
  shift_client* client_;
};

/**
 * At exit, before libraries are torn down: the client's threads must not outlive what they use. Where another
 * thread still reads, the client is left as it is: its reads must not lose it.
 */
void endTier() {
  Process* const here = process();
  if (here == nullptr || !here->isOwnedByCaller() ||
      here->tier.exchange(Process::Tier::kOff) != Process::Tier::kServing || here->calls.load() > 0) {
    return;
  }
  const Inside inside;
  library.freeClient(here->client.exchange(nullptr));
}

shift_client* makeClient() {
  char faults[512] = "";
  shift_client* const client = library.newClient(settings().config, nullptr, 0, faults, sizeof faults);
  if (client == nullptr) {
    warn("reads are not redirected: %s: %s", settings().config, faults);
    return nullptr;
  }
  char configured[PATH_MAX];
  if (library.storeRoot(client, configured, sizeof configured) < 0 ||
      realpath(configured, storeRoot) == nullptr ||
      (std::strcmp(settings().prefix, storeRoot) != 0 && pathBelow(storeRoot, settings().prefix).empty())) {
    warn("reads are not redirected: SHIFT_PRELOAD_PREFIX=%s is not below store.root of %s", settings().prefix,
         settings().config);
    library.freeClient(client);
    return nullptr;
  }
  return client;
}

}  // namespace

bool startTier(Process& process) {
  Process::Tier state = process.tier.load();
  if (state != Process::Tier::kNotStarted) {
    return state == Process::Tier::kServing;
  }
  if (!process.tier.compare_exchange_strong(state, Process::Tier::kStarting)) {
    return false;
  }
  if (process.forks.load() > 0) {
    process.tier.store(Process::Tier::kNotStarted);
    return false;
  }
  const Inside inside;
  shift_client* const client = library.preadv != nullptr || load() ? makeClient() : nullptr;
  if (client == nullptr) {
    process.tier.store(Process::Tier::kOff);
    return false;
  }
  if (!endIsAwaited) {  // a child of a fork inherits it
    endIsAwaited = std::atexit(endTier) == 0;
  }
  process.client.store(client);
  process.tier.store(Process::Tier::kServing);
  return true;
}

std::int64_t openInTier(Process& process, int fd, const char* path) {
  const std::string_view below = pathBelow(storeRoot, path);  // ends where `path` does, in NUL
  const Call call(process);
  if (below.empty() || call.client() == nullptr) {
    return 0;
  }
  const int own = duplicateOut(fd);
  if (own < 0) {
    return 0;
  }
  const std::int64_t handle = library.openDescriptor(call.client(), below.data(), own, nullptr);
  return handle > 0 ? handle : 0;
}

void closeInTier(Process& process, std::int64_t handle) {
  const Call call(process);
  if (call.client() != nullptr) {
    library.close(call.client(), handle);
  }
}

ssize_t readInTier(Process& process, std::int64_t handle, void* into, std::size_t count,
                   std::int64_t offset) {
  const Call call(process);
  return call.client() == nullptr ? -1 : library.pread(call.client(), handle, into, count, offset);
}

ssize_t readInTier(Process& process, std::int64_t handle, const iovec* into, int count, std::int64_t offset) {
  const Call call(process);
  return call.client() == nullptr ? -1 : library.preadv(call.client(), handle, into, count, offset);
}

}  // namespace shift::preload
