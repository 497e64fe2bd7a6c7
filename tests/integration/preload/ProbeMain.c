#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/integration/preload/Probe.h"

void tell(const char* what, ssize_t result, const void* bytes) {
  if (result < 0) {
    printf("%s: %s\n", what, strerrorname_np(errno));
    return;
  }
  uint64_t sum = 14695981039346656037u;
  for (ssize_t i = 0; i < result && bytes != NULL; ++i) {
    sum = (sum ^ ((const unsigned char*)bytes)[i]) * 1099511628211u;
  }
  printf("%s: %zd %016llx\n", what, result, (unsigned long long)sum);
}

void tellNumber(const char* what, long number) {
  printf("%s: %ld\n", what, number);
}

void die(const char* what) {
  fprintf(stderr, "preload_probe: %s: %s\n", what, strerror(errno));
  exit(1);
}

int openFile(const char* path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    die(path);
  }
  return fd;
}

int main(int count, char** arguments) {
  static const struct {
    const char* verb;
    int (*run)(char**);
    int arguments;
  } verbs[] = {
      {"calls", probeCalls, 2},         {"copies", probeCopies, 1},     {"inherited", probeInherited, 1},
      {"processes", probeProcesses, 1}, {"records", probeRecords, 2},   {"threads", probeThreads, 3},
      {"reused", probeReused, 2},       {"replaced", probeReplaced, 3}, {"close-all", probeCloseAll, 2},
      {"cancelled", probeCancelled, 1}, {"steps", probeSteps, 2},       {"past", probePast, 1}};
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; ++i) {
    if (count == verbs[i].arguments + 2 && strcmp(arguments[1], verbs[i].verb) == 0) {
      return verbs[i].run(arguments + 2);
    }
  }
  fprintf(stderr, "usage: preload_probe VERB ARGUMENTS; Probe.h lists the verbs\n");
  return 2;
}
