/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The version of the library. These three numbers are the only place where it
 * is written: configure reads them from here.
 */
#ifndef FATHOM_VERSION_H
#define FATHOM_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_VERSION_MAJOR 0
#define FATHOM_VERSION_MINOR 1
#define FATHOM_VERSION_PATCH 0

/* Returns the version of the library that the program runs with, such as
 * "0.1.0"; the macros are of the one that it was compiled with. */
const char *fathom_version(void);

#ifdef __cplusplus
}
#endif
#endif
