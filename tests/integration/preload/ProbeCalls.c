#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/integration/preload/Probe.h"

static char buffer[1 << 20];

static void readAndSeek(int fd) {
  tell("read from the beginning", read(fd, buffer, 100000), buffer);
  tell("read on", read(fd, buffer, 77), buffer);
  tellNumber("where it is", lseek(fd, 0, SEEK_CUR));
  tellNumber("seek back", lseek(fd, -50, SEEK_CUR));
  tell("read again", read(fd, buffer, 50), buffer);
  tellNumber("seek to the end", lseek(fd, -10, SEEK_END));
  tell("read across the end", read(fd, buffer, 100), buffer);
  tell("read at the end", read(fd, buffer, 100), buffer);
  tellNumber("seek beyond the end", lseek(fd, 100, SEEK_END));
  tell("read beyond the end", read(fd, buffer, 100), buffer);
  tellNumber("where it still is", lseek(fd, 0, SEEK_CUR));
  tellNumber("rewind", lseek(fd, 0, SEEK_SET));
  tell("read nothing", read(fd, buffer, 0), buffer);
}

static void readAt(int fd) {
  tell("pread", pread(fd, buffer, 5000, 12345), buffer);
  tell("pread64", pread64(fd, buffer, sizeof buffer, 1), buffer);
  tell("pread across the end", pread(fd, buffer, 100, lseek(fd, 0, SEEK_END) - 30), buffer);
  tell("pread beyond the end", pread(fd, buffer, 100, 1L << 40), buffer);
  tell("pread before the beginning", pread(fd, buffer, 100, -1), buffer);
  tellNumber("where that left it", lseek(fd, 0, SEEK_CUR));
}

static void readIntoMany(int fd) {
  struct iovec many[3] = {{buffer, 10}, {buffer + 10, 100000}, {buffer + 100010, 7}};
  lseek(fd, 500, SEEK_SET);
  tell("readv", readv(fd, many, 3), buffer);
  tell("readv on", readv(fd, many, 2), buffer);
  tell("preadv", preadv(fd, many, 3, 70000), buffer);
  tell("preadv2", preadv2(fd, many, 3, 70001, 0), buffer);
  tell("preadv2 from where it is", preadv2(fd, many, 3, -1, 0), buffer);
  tellNumber("where it is after readv", lseek(fd, 0, SEEK_CUR));
  tell("preadv across the end", preadv(fd, many, 3, lseek(fd, 0, SEEK_END) - 20), buffer);
  static struct iovec tooMany[2000];
  tell("readv into too many", readv(fd, tooMany, 2000), buffer);
  tell("readv into none", readv(fd, many, 0), buffer);
}

static void askAbout(int fd, const char* path) {
  struct stat status;
  tell("fstat", fstat(fd, &status), NULL);
  tellNumber("its size", status.st_size);
  tellNumber("its links", (long)status.st_nlink);
  tell("stat", stat(path, &status), NULL);
  tellNumber("its mode", status.st_mode);
  struct statx more;
  tell("statx", statx(AT_FDCWD, path, 0, STATX_SIZE, &more), NULL);
  tellNumber("its size by statx", (long)more.stx_size);
  tell("access", access(path, R_OK), NULL);
}

static void openInManyWays(const char* path, const char* link) {
  char directory[4096];
  snprintf(directory, sizeof directory, "%s", path);
  char* const name = strrchr(directory, '/') + 1;
  name[-1] = '\0';
  const int parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  tell("read a directory", read(parent, buffer, 10), buffer);
  const int flags[] = {O_RDONLY, O_RDONLY | O_CLOEXEC, O_RDONLY | O_NONBLOCK, O_RDONLY | O_NOFOLLOW};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
    const int fd = openat(parent, name, flags[i]);
    tell("read through openat", read(fd, buffer, 3000), buffer);
    tellNumber("close-on-exec", fcntl(fd, F_GETFD));
    tellNumber("flags", fcntl(fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK));
    tell("close", close(fd), NULL);
    tell("read what is closed", read(fd, buffer, 1), buffer);
  }
  if (fchdir(parent) != 0) {
    die("fchdir");
  }
  char roundabout[4200];
  snprintf(roundabout, sizeof roundabout, "./../%s/./%s", strrchr(directory, '/') + 1, name);
  const int relative = openFile(roundabout);
  tell("read by a relative path", read(relative, buffer, 4000), buffer);
  const int linked = openFile(link);
  tell("read through a link", read(linked, buffer, 4001), buffer);
  tell("open a link without following it", open(link, O_RDONLY | O_NOFOLLOW), NULL);
  tell("open what is not there", open("no-such-file", O_RDONLY), NULL);
  tell("open for writing what cannot be", open(directory, O_WRONLY), NULL);
  tellNumber("the next number", open("/dev/null", O_RDONLY));
}

int probeCalls(char** arguments) {
  const int fd = openFile(arguments[0]);
  readAndSeek(fd);
  readAt(fd);
  readIntoMany(fd);
  askAbout(fd, arguments[0]);
  errno = ELOOP;
  const ssize_t got = pread(fd, buffer, 10, 0);
  tellNumber("errno after a good read is what it was", got == 10 && errno == ELOOP);
  openInManyWays(arguments[0], arguments[1]);
  return 0;
}

/** A file of the program's own, in the store or not, can be written and read back. */
static void writeBesides(const char* path) {
  char besides[4200];
  snprintf(besides, sizeof besides, "%s.written", path);
  const int fd = open(besides, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  tell("write", write(fd, "some words", 10), NULL);
  tell("read back", pread(fd, buffer, 100, 5), buffer);
  tell("write more", write(fd, " and more", 9), NULL);
  tell("read more", pread(fd, buffer, 100, 0), buffer);
  close(fd);
  unlink(besides);
}

int probePast(char** arguments) {
  const int fd = openFile(arguments[0]);
  struct stat status;
  fstat(fd, &status);
  const size_t size = (size_t)status.st_size;
  const void* const mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  tell("mmap", mapped == MAP_FAILED ? -1 : status.st_size, mapped);
  char name[] = "/tmp/shift-probe-XXXXXX";
  const int sink = mkstemp(name);
  unlink(name);
  tell("sendfile", sendfile(sink, fd, NULL, 100000), NULL);
  tell("what was sent", pread(sink, buffer, 200000, 0), buffer);
  FILE* const stream = fopen(arguments[0], "rb");
  tell("fread", (ssize_t)fread(buffer, 1, 300000, stream), buffer);
  tellNumber("ftell", ftell(stream));
  tellNumber("fgetc", fgetc(stream));
  fclose(stream);
  writeBesides(arguments[0]);
  return 0;
}
