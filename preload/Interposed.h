#pragma once

/** A function of the C library's name that programs find before the C library's own. */
#define SHIFT_INTERPOSED __attribute__((visibility("default")))
