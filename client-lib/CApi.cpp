#include <cerrno>
#include <cstring>
#include <limits>

#include "backing-store/DirectoryStore.h"
#include "client-lib/Client.h"
#include "client-lib/shift.h"

struct shift_client {
  std::unique_ptr<shift::client::Client> client;
  std::string storeRoot;
};

namespace {

using shift::client::BatchRead;
using shift::client::Handle;

/** Nothing may be thrown through C: whatever is, is out of memory. */
template <typename Body>
auto guarded(Body body) -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    return -ENOMEM;
  }
}

template <typename T>
int errnoOf(const T& failed) {
  return -failed.error().toErrno();
}

Handle toHandle(int64_t handle) {
  return Handle{static_cast<std::uint64_t>(handle)};
}

void copyText(char* into, std::size_t size, const std::string& text) {
  if (into != nullptr && size > 0) {
    const std::size_t count = std::min(size - 1, text.size());
    std::memcpy(into, text.data(), count);
    into[count] = '\0';
  }
}

bool isRange(const void* into, std::size_t count, int64_t offset) {
  return (into != nullptr || count == 0) && offset >= 0 &&
         count <= static_cast<std::size_t>(std::numeric_limits<ssize_t>::max());
}

std::span<std::byte> toSpan(void* into, std::size_t count) {
  return {static_cast<std::byte*>(into), count};
}

shift::client::OpenOptions toOptions(const shift_open_options* options) {
  shift::client::OpenOptions wanted;
  if (options != nullptr) {
    wanted.job = options->job == nullptr ? "" : options->job;
    wanted.tag = options->tag == nullptr ? "" : options->tag;
    wanted.jobClass = options->is_not_training != 0 ? shift::client::JobClass::kOther
                                                    : shift::client::JobClass::kMlTraining;
  }
  return wanted;
}

int fill(const shift::Result<shift::store::FileInfo>& found, shift_file_info* info) {
  if (!found) {
    return errnoOf(found);
  }
  info->size = found->size;
  copyText(info->version, sizeof info->version, found->version);
  return 0;
}

}  // namespace

shift_client* shift_client_new(const char* configFile, const char* const* overrides, size_t overrideCount,
                               char* error, size_t errorSize) {
  try {
    const std::vector<std::string> settings(overrides, overrides + overrideCount);
    const auto config = shift::client::loadClientConfig(configFile == nullptr ? "" : configFile, settings);
    if (!config) {
      copyText(error, errorSize, config.error().message);
      return nullptr;
    }
    auto client = shift::client::Client::create(*config);
    if (!client) {
      copyText(error, errorSize, client.error().message);
      return nullptr;
    }
    return new shift_client{*std::move(client), config->storeRoot};
  } catch (const std::exception& fault) {
    copyText(error, errorSize, fault.what());
    return nullptr;
  }
}

void shift_client_free(shift_client* client) {
  delete client;
}

int64_t shift_open(shift_client* client, const char* path, const shift_open_options* options) {
  if (client == nullptr || path == nullptr) {
    return -EINVAL;
  }
  return guarded([&]() -> int64_t {
    const auto handle = client->client->open(path, toOptions(options));
    return handle ? static_cast<int64_t>(*handle) : errnoOf(handle);
  });
}

int64_t shift_open_fd(shift_client* client, const char* path, int fd, const shift_open_options* options) {
  shift::FileDescriptor owned(fd);
  if (client == nullptr || path == nullptr || fd < 0) {
    return -EINVAL;
  }
  return guarded([&]() -> int64_t {
    auto backing = shift::store::adoptFile(std::move(owned), path);
    if (!backing) {
      return errnoOf(backing);
    }
    const auto handle = client->client->open(path, *std::move(backing), toOptions(options));
    return handle ? static_cast<int64_t>(*handle) : errnoOf(handle);
  });
}

int shift_store_root(shift_client* client, char* into, size_t size) {
  if (client == nullptr || into == nullptr) {
    return -EINVAL;
  }
  if (client->storeRoot.size() >= size) {
    return -ERANGE;
  }
  copyText(into, size, client->storeRoot);
  return static_cast<int>(client->storeRoot.size());
}

int shift_close(shift_client* client, int64_t handle) {
  return client == nullptr ? -EINVAL : guarded([&] {
    const auto closed = client->client->close(toHandle(handle));
    return closed ? 0 : errnoOf(closed);
  });
}

int shift_stat(shift_client* client, const char* path, shift_file_info* info) {
  if (client == nullptr || path == nullptr || info == nullptr) {
    return -EINVAL;
  }
  return guarded([&] { return fill(client->client->stat(path), info); });
}

int shift_fstat(shift_client* client, int64_t handle, shift_file_info* info) {
  if (client == nullptr || info == nullptr) {
    return -EINVAL;
  }
  return guarded([&] { return fill(client->client->stat(toHandle(handle)), info); });
}

ssize_t shift_pread(shift_client* client, int64_t handle, void* into, size_t count, int64_t offset) {
  if (client == nullptr || !isRange(into, count, offset)) {
    return -EINVAL;
  }
  return guarded([&]() -> ssize_t {
    const auto got =
        client->client->pread(toHandle(handle), toSpan(into, count), static_cast<std::uint64_t>(offset));
    return got ? static_cast<ssize_t>(*got) : errnoOf(got);
  });
}

ssize_t shift_preadv(shift_client* client, int64_t handle, const struct iovec* into, int count,
                     int64_t offset) {
  if (client == nullptr || count < 0 || (into == nullptr && count > 0) || offset < 0) {
    return -EINVAL;
  }
  return guarded([&]() -> ssize_t {
    std::vector<std::span<std::byte>> buffers;
    std::size_t total = 0;
    for (int i = 0; i < count; ++i) {
      total += into[i].iov_len;
      if (!isRange(into[i].iov_base, into[i].iov_len, offset) || !isRange(into, total, offset)) {
        return -EINVAL;
      }
      buffers.push_back(toSpan(into[i].iov_base, into[i].iov_len));
    }
    const auto got = client->client->preadv(toHandle(handle), buffers, static_cast<std::uint64_t>(offset));
    return got ? static_cast<ssize_t>(*got) : errnoOf(got);
  });
}

int shift_read_batch(shift_client* client, shift_read* reads, size_t count) {
  if (client == nullptr || (reads == nullptr && count > 0)) {
    return -EINVAL;
  }
  return guarded([&] {
    std::vector<BatchRead> batch;
    std::vector<shift_read*> asked;
    for (size_t i = 0; i < count; ++i) {
      shift_read& read = reads[i];
      if (!isRange(read.into, read.count, read.offset)) {
        read.result = -EINVAL;
        continue;
      }
      batch.push_back(
          {toHandle(read.handle), toSpan(read.into, read.count), static_cast<std::uint64_t>(read.offset)});
      asked.push_back(&read);
    }
    const auto results = client->client->readBatch(batch);
    for (std::size_t i = 0; i < results.size(); ++i) {
      asked[i]->result = results[i] ? static_cast<ssize_t>(*results[i]) : errnoOf(results[i]);
    }
    return 0;
  });
}

int shift_prefetch(shift_client* client, int64_t handle, int64_t offset, uint64_t length) {
  if (client == nullptr || offset < 0) {
    return -EINVAL;
  }
  return guarded([&] {
    const auto status =
        client->client->prefetch(toHandle(handle), static_cast<std::uint64_t>(offset), length);
    return status ? 0 : errnoOf(status);
  });
}

int shift_get_stats(shift_client* client, shift_stats* stats) {
  if (client == nullptr || stats == nullptr) {
    return -EINVAL;
  }
  return guarded([&] {
    const shift::client::ClientStats now = client->client->stats();
    *stats = {.reads = now.preads,
              .bytes_from_nodes = now.bytesFromNodes,
              .bytes_from_backing_store = now.bytesFromBackingStore,
              .bytes_past_cache = now.bytesPastCache,
              .gets_hit = now.getsHit,
              .gets_refused = now.getsRefused,
              .gets_failed = now.getsFailed,
              .gets_skipped = now.getsSkipped,
              .gets_hedged = now.getsHedged,
              .checksum_mismatches = now.checksumMismatches};
    return 0;
  });
}
