/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom.conf as one line, which slurmctld tells its clients as PriorityParameters, so that hosts
 * without the file, or with an old copy, know what is in force:
 *
 *	fathom.conf:Policy=lsf HistHours=10;Scope=gpu Partitions=a,b
 */
#pragma once

#include <stdbool.h>

/* Returns the text of a fathom.conf as one line, without comments, which the caller frees. text:
 * NULL for a site without the file. Returns NULL if the line would be longer than 16 KiB, too much
 * for an answer to each client; if a ';' stands outside comments, as it would read as a line end;
 * or if out of memory. */
char *conf_told_write(const char *text);
/* Returns whether a value of PriorityParameters was made by conf_told_write(). value: may be
 * NULL. */
bool conf_told_is(const char *value);
/* Returns the text of fathom.conf that such a value has, with line ends again, which the caller
 * frees; NULL: out of memory. */
char *conf_told_read(const char *value);
