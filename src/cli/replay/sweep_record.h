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

#include "cli/candidates.h"

/* What results depend on. */
struct sweep_inputs {
	const char *trace;
	const struct input_names *files;
	const char *scheduler;
	double cpus, nodes, calc_period, warm_up;	/* as given, else 0 */
	bool with_usage, strict;
	const struct candidates *candidates;
	const struct sets *sets;
};

/* Returns the text of the file, to be freed; NULL after printing an error. */
char *sweep_record_create(const struct sweep_inputs *inputs);
/* Compares it with the file of a folder. *exists: there is one. Returns 0 if it is the same or
 * there is none, or EXIT_WRONG after printing an error. */
int sweep_record_compare(const char *record, const char *folder, bool *exists);
/* Checks that the file is of the caller, unless that is root. Returns 0, or EXIT_WRONG after
 * printing an error. */
int sweep_record_check_owner(const char *folder);
/* Writes the file. Returns 0, or EXIT_WRONG after printing an error. */
int sweep_record_write(const char *record, const char *folder);

#endif
