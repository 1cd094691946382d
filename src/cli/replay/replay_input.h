/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace, the site, and the tree by which jobs are charged. */
#ifndef CLI_REPLAY_INPUT_H
#define CLI_REPLAY_INPUT_H

#include "cli/option_values.h"
#include "cli/replay/site_partitions.h"
#include "cli/replay/trace_calendar.h"
#include "conf/scope_shares.h"
#include "core/snapshot.h"
#include "format/trace/trace.h"

struct replay_input {
	struct replay_site site;
	struct site_partitions partitions;
	struct trace trace;
	struct trace_calendar calendar;
	struct snapshot snapshot;	/* with the usage at the first submission */
	uint32_t *node;			/* by association of the trace */
	struct scope_shares *shares;	/* by scope of fathom.conf; without a tree: it has those of
					 * `snapshot` */
};

struct replay_source {
	const char *trace;
	const struct format *format;	/* of the trace; NULL: it is recognised */
	double cpus;			/* 0: as the site says, else the trace */
	const char *const *from;	/* files that describe the site */
	size_t from_count;
	bool with_usage;		/* starts with the usage of their tree */
	bool needs_starts;		/* jobs whose start the trace does not tell are skipped */
	bool wants_requests;		/* notes what jobs ask for, also if the site does not */
};

/* Opens the trace, and makes the tree of it unless the site has one. Returns 0, or EXIT_WRONG after
 * printing an error. */
int replay_input_open(struct replay_input *input, const struct replay_source *source);
void replay_input_clear(struct replay_input *input);

#endif
