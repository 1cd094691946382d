/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace, the site, and the tree by which jobs are charged. */
#pragma once

#include "cli/replay/replay_options.h"
#include "cli/replay/site_partitions.h"
#include "conf/scope_shares.h"
#include "core/snapshot.h"
#include "format/trace/trace.h"
#include "replay/replay_rules.h"

struct replay_input {
	struct replay_site site;
	struct site_partitions partitions;
	struct trace trace;
	struct snapshot snapshot;	/* with the usage at the first submission */
	bool assumes_shares;		/* no file has a tree, so all shares are 1 */
	uint32_t *node;			/* by association of the trace */
	struct scope_shares *shares;	/* by scope of fathom.conf; without a tree: it has those of
					 * `snapshot` */
};

/* Whether one of the schedulers lets jobs start when the trace says. */
bool replay_needs_starts(const struct word_list *schedulers);
/* Reads a cluster instead of a trace, with its usage. No file of --from: the running cluster.
 * input: zeros. */
void replay_input_of_cluster(struct replay_input *input, const struct replay_options *options);
/* Notes what a job of the cluster asks for; returns its number. */
uint32_t replay_input_note_request(struct replay_input *input, const struct job *job);
/* Reads the site and opens the trace. input: zeros. */
void replay_input_begin(struct replay_input *input, const struct replay_options *options);
/* Makes the tree of the trace unless the site has one, and finds the nodes of its associations. */
void replay_input_find_nodes(struct replay_input *input, const struct replay_options *options);
/* Returns a job of the trace as it is replayed. */
struct replay_job replay_input_job(const struct replay_input *input, const struct trace_job *job);
/* Says why each job is left out. */
_Noreturn void replay_refuse_no_jobs(const struct trace *trace);
/* Does both: reads the site, opens the trace and finds the nodes. input: zeros. */
void replay_input_open(struct replay_input *input, const struct replay_options *options);
