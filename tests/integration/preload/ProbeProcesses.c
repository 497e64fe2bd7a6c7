#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/integration/preload/Probe.h"

enum { kRecord = 4096, kMaxRecords = 4096, kMaxProcesses = 64 };

static char buffer[1 << 20];

int probeCopies(char** arguments) {
  const int fd = openFile(arguments[0]);
  tell("read", read(fd, buffer, 1000), buffer);
  const int copy = dup(fd);
  tell("read the duplicate on", read(copy, buffer, 1000), buffer);
  const int second = dup2(fd, 200);
  tell("read on by dup2's number", read(second, buffer, 1000), buffer);
  const int third = dup3(fd, 201, O_CLOEXEC);
  tell("read on by dup3's number", read(third, buffer, 1000), buffer);
  const int fourth = fcntl(fd, F_DUPFD, 210);
  const int fifth = fcntl(fd, F_DUPFD_CLOEXEC, 220);
  tell("read on by F_DUPFD's number", read(fourth, buffer, 1000), buffer);
  tell("read on by F_DUPFD_CLOEXEC's number", read(fifth, buffer, 1000), buffer);
  tell("close the first", close(fd), NULL);
  tell("read on without it", read(copy, buffer, 1000), buffer);
  tellNumber("where all of them are", lseek(fifth, 0, SEEK_CUR));
  tellNumber("numbers", copy * 1000000L + fourth * 1000 + fifth);
  tellNumber("close-on-exec",
             fcntl(second, F_GETFD) * 100 + fcntl(third, F_GETFD) * 10 + fcntl(fifth, F_GETFD));
  tell("dup2 onto itself", dup2(second, second), NULL);
  tell("dup3 onto itself", dup3(second, second, 0), NULL);
  tell("dup2 of nothing", dup2(999, 200), NULL);
  const int other = openFile("/dev/zero");
  tell("dup2 of another file over it", dup2(other, second), NULL);
  memset(buffer, 1, 100);
  tell("read that one", read(second, buffer, 100), buffer);
  tell("dup2 of the file over another", dup2(copy, other), NULL);
  tell("read on there", read(other, buffer, 100), buffer);
  return 0;
}

int probeInherited(char** arguments) {
  const int fd = atoi(arguments[0]);
  tell("an inherited descriptor", read(fd, buffer, 1000), buffer);
  tell("standard input", read(STDIN_FILENO, buffer, 1000), buffer);
  return 0;
}

static void join(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) {
    fprintf(stderr, "preload_probe: a child ended with status %d\n", status);
    exit(1);
  }
}

/** Runs this program again with `fd` open, and a descriptor that is to be closed on the way. */
static void runAgain(int fd, int closedOnExec, pid_t (*start)(void)) {
  char number[16];
  snprintf(number, sizeof number, "%d", fd);
  tellNumber("closed on exec", fcntl(closedOnExec, F_GETFD));
  fflush(stdout);
  const pid_t child = start();
  if (child == 0) {
    dup2(fd, STDIN_FILENO);
    close(closedOnExec);
    execl("/proc/self/exe", "preload_probe", "inherited", number, NULL);
    _exit(126);
  }
  join(child);
}

int probeProcesses(char** arguments) {
  const int fd = open(arguments[0], O_RDONLY);
  const int closedOnExec = openFile(arguments[0]);
  tell("read", read(fd, buffer, 1000), buffer);
  tell("read the other", read(closedOnExec, buffer, 500), buffer);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    tell("read on in the child", read(fd, buffer, 1000), buffer);
    const int fresh = openFile(arguments[0]);
    tellNumber("number in the child", fresh);
    tell("read a file of the child's own", pread(fresh, buffer, 5000, 40000), buffer);
    exit(0);
  }
  join(child);
  tell("read on in the parent", read(fd, buffer, 1000), buffer);
  runAgain(fd, closedOnExec, fork);
  tell("read on after the program it ran", read(fd, buffer, 1000), buffer);
  runAgain(fd, closedOnExec, vfork);
  tell("read on after vfork", read(fd, buffer, 1000), buffer);
  tell("read the other on", read(closedOnExec, buffer, 500), buffer);
  return 0;
}

int probeRecords(char** arguments) {
  const int fd = openFile(arguments[0]);
  const int processes = atoi(arguments[1]);
  int results[2];
  if (pipe(results) != 0) {
    die("pipe");
  }
  pid_t children[kMaxProcesses];
  for (int i = 0; i < processes; ++i) {
    children[i] = fork();
    if (children[i] == 0) {
      ssize_t got = 0;
      while ((got = read(fd, buffer, kRecord)) > 0) {
        // Each record begins with its number.
        if (write(results[1], buffer, sizeof(int)) != sizeof(int)) {
          die("write");
        }
      }
      _exit(got == 0 ? 0 : 1);
    }
  }
  close(results[1]);
  static int times[kMaxRecords];
  int record = 0;
  int records = 0;
  while (read(results[0], &record, sizeof record) == sizeof record) {
    ++times[record % kMaxRecords];
    ++records;
  }
  int wrong = 0;
  for (int i = 0; i < kMaxRecords; ++i) {
    wrong += times[i] > 1;
  }
  for (int i = 0; i < processes; ++i) {
    join(children[i]);
  }
  tellNumber("records read", records);
  tellNumber("records read more than once", wrong);
  return 0;
}

static const char* threadsFile;
static char* expected;
static ssize_t expectedSize;
static atomic_int failures;

static int readsAll(const char* path, char* into) {
  const int fd = openFile(path);
  ssize_t done = 0;
  ssize_t got = 0;
  while ((got = read(fd, into + done, 64 * 1024)) > 0) {
    done += got;
  }
  close(fd);
  return got == 0 && done == expectedSize && memcmp(into, expected, (size_t)done) == 0;
}

static void* readInThread(void* unused) {
  (void)unused;
  char* const own = malloc((size_t)expectedSize + 64 * 1024);
  for (int i = 0; i < 3; ++i) {
    failures += !readsAll(threadsFile, own);
  }
  free(own);
  return NULL;
}

int probeThreads(char** arguments) {
  enum { kMaxThreads = 256, kForks = 8 };
  const int count = atoi(arguments[1]);
  threadsFile = arguments[0];
  FILE* const plain = fopen(threadsFile, "rb");
  expected = malloc(16 << 20);
  expectedSize = (ssize_t)fread(expected, 1, 16 << 20, plain);
  fclose(plain);
  char* const own = malloc((size_t)expectedSize + 64 * 1024);
  if (strcmp(arguments[2], "after") == 0) {
    failures += !readsAll(threadsFile, own);
  }
  pthread_t threads[kMaxThreads];
  for (int i = 0; i < count; ++i) {
    if (pthread_create(&threads[i], NULL, readInThread, NULL) != 0) {
      die("pthread_create");
    }
  }
  for (int i = 0; i < kForks; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      _exit(readsAll(threadsFile, own) ? 0 : 1);
    }
    join(child);
  }
  for (int i = 0; i < count; ++i) {
    pthread_join(threads[i], NULL);
  }
  tellNumber("threads that read something else", failures);
  free(own);
  free(expected);
  return 0;
}
