/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file sweep.txt in the folder of a sweep: what its results are results of. A line for the
 * trace and each file of --from, with its size and when it was changed; one for each option that
 * counts; and one for each task, with its policy and settings:
 *
 *	trace: /traces/month, 123456 bytes, changed 1790000000.000000000
 *	scheduler: easy
 *	task 0: lsf half_life=259200
 */
#ifndef CLI_REPLAY_SWEEP_RECORD_H
#define CLI_REPLAY_SWEEP_RECORD_H

#include "cli/replay/replay_options.h"

/* Returns the text of the file. */
char *sweep_record_create(const struct replay_options *options);
/* Compares it with the file of a folder, which must be the same. Returns whether there is one. */
bool sweep_record_compare(const char *record, const char *folder);
/* Checks that the file is of the caller, unless that is root. */
void sweep_record_check_owner(const char *folder);
void sweep_record_write(const char *record, const char *folder);

#endif
