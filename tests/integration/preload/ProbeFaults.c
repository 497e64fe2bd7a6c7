#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/integration/preload/Probe.h"

static char buffer[1 << 20];

/** Past the C library: nobody who watches its functions sees it. */
static int openUnseen(const char* path) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

static void closeUnseen(int fd) {
  syscall(SYS_close, fd);
}

int probeReused(char** arguments) {
  const char* const file = arguments[0];
  const char* const other = arguments[1];
  int fd = openFile(file);
  tell("the file", read(fd, buffer, 1000), buffer);
  closeUnseen(fd);
  tell("nothing", read(fd, buffer, 1000), buffer);
  tellNumber("same number", openUnseen(other) == fd);
  tell("another file under its number", read(fd, buffer, 1000), buffer);
  tell("more of it", pread(fd, buffer, 1000, 100), buffer);
  closeUnseen(fd);
  tellNumber("same number again", openFile(file) == fd);
  tell("the file again", read(fd, buffer, 1000), buffer);
  closeUnseen(fd);

  // As C++ streams do: opened and closed inside the C library, read by number.
  FILE* stream = fopen(other, "rb");
  tell("a stream of the other", read(fileno(stream), buffer, 1000), buffer);
  fclose(stream);
  stream = fopen(file, "rb");
  tell("a stream of the file", read(fileno(stream), buffer, 5000), buffer);
  stream = freopen(other, "rb", stream);
  tell("the stream reopened", read(fileno(stream), buffer, 5000), buffer);
  fclose(stream);
  return 0;
}

static void appendTo(const char* path, const char* words, size_t count) {
  const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (write(fd, words, count) != (ssize_t)count) {
    die(path);
  }
  close(fd);
}

int probeReplaced(char** arguments) {
  const char* const file = arguments[0];
  const int fd = openFile(file);
  tell("the file", read(fd, buffer, 1000), buffer);
  if (rename(arguments[1], file) != 0) {
    die("rename");
  }
  tell("the old one on", read(fd, buffer, 100000), buffer);
  const int fresh = openFile(file);
  tell("the new one", read(fresh, buffer, 100000), buffer);
  unlink(file);
  tell("the old one at a place", pread(fd, buffer, 100000, 300000), buffer);
  tell("the new one, which is gone too", read(fresh, buffer, 100000), buffer);

  const char* const growing = arguments[2];
  const int grows = openFile(growing);
  struct stat before;
  fstat(grows, &before);
  tell("one that will grow", read(grows, buffer, 1000), buffer);
  appendTo(growing, "and this", 8);
  tellNumber("seek", lseek(grows, before.st_size - 10, SEEK_SET) - before.st_size);
  tell("what was added", read(grows, buffer, 100), buffer);
  const int writer = open(growing, O_WRONLY | O_CLOEXEC);
  tell("change it in place", pwrite(writer, "CHANGED", 7, 0), NULL);
  tell("what was changed", pread(grows, buffer, 1000, 0), buffer);
  tell("make it short", ftruncate(writer, 5), NULL);
  tell("what is left", pread(grows, buffer, 1000, 0), buffer);
  return 0;
}

/** Takes as many numbers as it can for another file. */
static void takeNumbers(const char* other) {
  for (int i = 0; i < 100; ++i) {
    openFile(other);
  }
}

static void readWhole(const char* what, const char* path) {
  const int fd = openFile(path);
  tellNumber("its number", fd);
  tell(what, read(fd, buffer, sizeof buffer), buffer);
  tell("a part of it", pread(fd, buffer, 5000, 70000), buffer);
}

int probeCloseAll(char** arguments) {
  readWhole("before", arguments[0]);
  closefrom(3);
  tell("what was closed", read(3, buffer, 1), buffer);
  takeNumbers(arguments[1]);
  readWhole("after closefrom", arguments[0]);

  struct rlimit limit;
  getrlimit(RLIMIT_NOFILE, &limit);
  int closed = 0;
  for (int fd = 3; fd < (int)limit.rlim_cur; ++fd) {
    closed += close(fd) == 0;
  }
  tellNumber("closed one by one", closed);
  takeNumbers(arguments[1]);
  readWhole("after that", arguments[0]);

  tell("close a range", close_range(3, ~0U, 0), NULL);
  takeNumbers(arguments[1]);
  readWhole("after close_range", arguments[0]);
  tell("close no range", close_range(4, 3, 0), NULL);

  // Even those that nobody shall close.
  syscall(SYS_close_range, 3, ~0U, 0);
  takeNumbers(arguments[1]);
  const int high = limit.rlim_cur / 2 < 4096 ? (int)limit.rlim_cur / 2 : 4096;
  for (int fd = high; fd < high + 50; ++fd) {
    syscall(SYS_dup2, 3, fd);
  }
  readWhole("after all was closed unseen", arguments[0]);
  return 0;
}

static atomic_int readsDone;

static void* readForEver(void* file) {
  const int fd = openFile(file);
  char own[5000];
  while (readsDone >= 0) {
    if (pread(fd, own, sizeof own, readsDone * 100L % 100000) != sizeof own) {
      die("pread");
    }
    ++readsDone;
  }
  return NULL;
}

int probeCancelled(char** arguments) {
  for (int i = 0; i < 20; ++i) {
    readsDone = 0;
    pthread_t thread;
    if (pthread_create(&thread, NULL, readForEver, arguments[0]) != 0) {
      die("pthread_create");
    }
    while (readsDone < 10) {
      sched_yield();
    }
    void* result = NULL;
    pthread_cancel(thread);
    pthread_join(thread, &result);
    tellNumber("cancelled", result == PTHREAD_CANCELED);
  }
  readWhole("after that", arguments[0]);
  return 0;
}

int probeSteps(char** arguments) {
  const int fd = openFile(arguments[0]);
  struct stat status;
  fstat(fd, &status);
  char* const whole = malloc((size_t)status.st_size);
  ssize_t done = 0;
  while (done < status.st_size / 2) {
    done += read(fd, whole + done, 64 * 1024);
  }
  printf("half\n");
  fflush(stdout);
  char word = 0;
  const int fifo = open(arguments[1], O_RDONLY | O_CLOEXEC);
  if (read(fifo, &word, 1) != 1) {
    die(arguments[1]);
  }
  ssize_t got = 0;
  while ((got = read(fd, whole + done, (size_t)(status.st_size - done))) > 0) {
    done += got;
  }
  tell("all", got < 0 ? got : done, whole);
  free(whole);
  return 0;
}
