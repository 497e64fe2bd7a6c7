#include "client-lib/shift.h"

/* Shows that the header is C: reads the beginning of a file in two steps. */
int readTwiceInC(shift_client* client, const char* path, char* into, size_t count) {
  const shift_open_options options = {.job = "from-c"};
  const int64_t file = shift_open(client, path, &options);
  const size_t half = count / 2;
  if (file < 0) {
    return (int)file;
  }
  if (shift_pread(client, file, into, half, 0) != (ssize_t)half ||
      shift_pread(client, file, into + half, count - half, (int64_t)half) != (ssize_t)(count - half)) {
    return -1;
  }
  return shift_close(client, file);
}
