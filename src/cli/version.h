/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

/* The release and what was built in, on stdout; returns the exit status. */
int print_version(void);

#endif
