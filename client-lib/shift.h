#ifndef SHIFT_H
#define SHIFT_H

/*
 * Shift's client for programs that are not written in C++.
 *
 * Reads files of a backing store through the cache tier; what the tier does not have, or cannot say in time,
 * is read from the backing store. All functions may be called from any thread. What can fail returns a
 * negative errno value, as -ENOENT, and leaves errno alone. Only the backing store's own errors, and misuse,
 * are ever reported.
 */

/* Names as C programs have them. NOLINTBEGIN(readability-identifier-naming) */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHIFT_API __attribute__((visibility("default")))

typedef struct shift_client shift_client;

/*
 * A client configured by a TOML file ("key = value"; see docs/client.md) and then by `override_count` texts
 * "key=value". Either may be absent: NULL, 0. NULL is returned where that cannot work, with every fault, one
 * a line, in `error`, cut to `error_size` bytes.
 */
SHIFT_API shift_client* shift_client_new(const char* config_file, const char* const* overrides,
                                         size_t override_count, char* error, size_t error_size);

/* Closes what is open. No call may be under way. NULL is allowed. */
SHIFT_API void shift_client_free(shift_client* client);

/* Every field may be NULL or 0. */
typedef struct shift_open_options {
  const char* job;     /* on whose account is read; without it SHIFT_JOB_ID, or the scheduler's variable */
  const char* tag;     /* for eligibility rules */
  int is_not_training; /* for eligibility rules: a job that is not machine-learning training */
} shift_open_options;

/* A handle, at least 1. The path is relative to the store's root. */
SHIFT_API int64_t shift_open(shift_client* client, const char* path, const shift_open_options* options);
/*
 * The same of a file that is open for reading as `fd`, and whose path is this: what no node gives is read
 * from `fd`. It belongs to the client from here on, also where this fails.
 */
SHIFT_API int64_t shift_open_fd(shift_client* client, const char* path, int fd,
                                const shift_open_options* options);
SHIFT_API int shift_close(shift_client* client, int64_t handle);

/* The store's root directory, as configured: its length, or -ERANGE if it does not fit with its NUL. */
SHIFT_API int shift_store_root(shift_client* client, char* into, size_t size);

typedef struct shift_file_info {
  uint64_t size;
  char version[128]; /* changes whenever the bytes may have; cut to fit */
} shift_file_info;

SHIFT_API int shift_stat(shift_client* client, const char* path, shift_file_info* info);
/* As the file was when it was opened. */
SHIFT_API int shift_fstat(shift_client* client, int64_t handle, shift_file_info* info);

/* As pread(2) and preadv(2): fewer bytes than asked for only at the end of the file. */
SHIFT_API ssize_t shift_pread(shift_client* client, int64_t handle, void* into, size_t count, int64_t offset);
SHIFT_API ssize_t shift_preadv(shift_client* client, int64_t handle, const struct iovec* into, int count,
                               int64_t offset);

typedef struct shift_read {
  int64_t handle;
  void* into;
  size_t count;
  int64_t offset;
  ssize_t result; /* what shift_pread() would have returned */
} shift_read;

/* Many reads at once. Returns 0, and each read's result in it. */
SHIFT_API int shift_read_batch(shift_client* client, shift_read* reads, size_t count);

/* Says that a range will be read soon. Nothing is waited for. */
SHIFT_API int shift_prefetch(shift_client* client, int64_t handle, int64_t offset, uint64_t length);

/* Where the bytes came from since the client was made. */
typedef struct shift_stats {
  uint64_t reads;
  uint64_t bytes_from_nodes;
  uint64_t bytes_from_backing_store; /* that no node gave */
  uint64_t bytes_past_cache;         /* not eligible: no node was asked */
  uint64_t gets_hit;
  uint64_t gets_refused;
  uint64_t gets_failed;
  uint64_t gets_skipped;
  uint64_t gets_hedged;
  uint64_t checksum_mismatches;
} shift_stats;

SHIFT_API int shift_get_stats(shift_client* client, shift_stats* stats);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming) */

#endif
