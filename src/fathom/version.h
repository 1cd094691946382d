/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The version of the library. configure reads these three numbers, too. */
#ifndef FATHOM_VERSION_H
#define FATHOM_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_VERSION_MAJOR 0
#define FATHOM_VERSION_MINOR 1
#define FATHOM_VERSION_PATCH 0

/* Returns the version of the library that the program runs with, such as "0.1.0".
 * The macros are the version that the program was compiled with. */
const char *fathom_version(void);

#ifdef __cplusplus
}
#endif
#endif
