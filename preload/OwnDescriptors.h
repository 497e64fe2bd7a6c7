#pragma once

namespace shift::preload {

/**
 * The client's own descriptors: sockets, and duplicates of the files that it reads. They have high numbers,
 * so that the program finds the low ones as it expects them. The program cannot close them, neither by number
 * nor by range: the next file under that number would be taken for what it was. Safe for threads and signal
 * handlers.
 */
bool isOwn(int fd);

/** Moves a descriptor out of the program's way. Returns its new number; the old one if there is no other. */
int moveOut(int fd);

/** A duplicate out of the program's way; -1 if the program needs the numbers itself. */
int duplicateOut(int fd);

/** It is closed, or has become the program's. */
void disown(int fd);

/** In the child of a fork: closes all that were the parent's. */
void closeInherited();

/** The first of them at or above `from`, or -1. */
int nextOwn(unsigned from);

}  // namespace shift::preload
