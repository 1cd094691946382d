/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom --version. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

/* Prints the version and what was built in. Returns the exit status. */
int print_version(void);

#endif
