/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom --version. */
#pragma once

/* Prints the version and what was built in. Returns the exit status. */
int print_version(void);
