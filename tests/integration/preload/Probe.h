#pragma once

/*
 * preload_probe: a program that knows nothing of Shift and tells, line by line, what its system calls
 * returned. Run with the library and without it, it must tell the same. Each verb is a function of this name.
 */

#include <stddef.h>
#include <sys/types.h>

/** One line: what was done, its result or errno, and a sum over the bytes it brought. */
void tell(const char* what, ssize_t result, const void* bytes);
void tellNumber(const char* what, long number);
/** Ends the program, with what failed and errno. */
void die(const char* what);
/** As open(2) for reading, or the end of the program. */
int openFile(const char* path);

/* Each takes what follows the verb, and returns the program's exit code. */
int probeCalls(char** arguments);     /* FILE LINK: every way to open, read, seek and ask */
int probeCopies(char** arguments);    /* FILE: dup and its kin, and what they share */
int probeInherited(char** arguments); /* FD: what a program finds open */
int probeProcesses(char** arguments); /* FILE: fork, vfork and exec */
int probeRecords(char** arguments);   /* FILE PROCESSES: each record is read by one of several readers */
int probeThreads(char** arguments);   /* FILE THREADS after|at-once: all read all of it, and one forks
                                         meanwhile; after a first read, or not */
int probeReused(char** arguments);    /* FILE OTHER: numbers that change hands behind everybody's back */
int probeReplaced(char** arguments);  /* FILE NEW GROWING: the file changes while it is open */
int probeCloseAll(char** arguments);  /* FILE OTHER: everything is closed, by every means */
int probeCancelled(char** arguments); /* FILE: a thread is cancelled while it reads on and on */
int probeSteps(char** arguments);     /* FILE FIFO: reads a part, waits for a line, reads on */
int probePast(char** arguments);      /* FILE: what reads without the functions that are redirected */
