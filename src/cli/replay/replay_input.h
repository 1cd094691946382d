/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace, and the tree by which its jobs are charged. */
#ifndef CLI_REPLAY_INPUT_H
#define CLI_REPLAY_INPUT_H

#include "cli/option_values.h"
#include "core/snapshot.h"
#include "format/trace/trace.h"

struct replay_input {
	struct trace trace;
	struct snapshot snapshot;	/* with the usage at the first submission */
	uint32_t *node;			/* by association of the trace */
};

struct replay_source {
	const char *trace;
	const struct format *format;	/* of the trace; NULL: it is recognised */
	double cpus;			/* 0: as the trace says */
	const char *const *from;	/* files with the tree; none: it is made of the trace */
	size_t from_count;
	bool with_usage;		/* starts with the tree's usage */
};

/* Opens the trace and makes the tree. Returns 0, or EXIT_WRONG after printing an error. */
int replay_input_open(struct replay_input *input, const struct replay_source *source);
void replay_input_clear(struct replay_input *input);

#endif
