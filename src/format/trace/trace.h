/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the jobs of a trace twice: first to know the associations and whether the jobs are in the
 * order in which they became eligible, then to give them to whoever replays them. A trace of
 * moderate length, or one that has to be sorted, is kept in memory instead of being read again.
 *
 *	trace_open (&trace, &source);
 *	trace_tree (&trace, &snapshot);
 *	trace_read (&trace, take, context);
 */
#pragma once

#include "core/numbered_names.h"
#include "core/snapshot.h"
#include "format/accounting/accounting.h"
#include "format/format.h"
#include "format/trace/trace_partitions.h"

/* Why a job is not replayed. */
enum trace_skip {
	TRACE_PART,		/* the line is for a part of a job */
	TRACE_UNFINISHED,	/* it waited or ran when the records were made */
	TRACE_NOT_RUN,		/* it has not run, or its run time is not known */
	TRACE_NO_SUBMIT,
	TRACE_NO_START,		/* of a trace whose starts are needed */
	TRACE_NO_CPUS,
	TRACE_TOO_LARGE,	/* for the machine, or its partition */
	TRACE_TOO_LONG,		/* it asks for more than its partition's MaxTime */
	TRACE_NO_PARTITION,	/* the site does not have its partition */
	TRACE_NOT_UP,		/* its partition does not start jobs */
	TRACE_NO_ASSOCIATION,	/* the tree does not have its user and account */
	TRACE_SKIP_COUNT,
	TRACE_TAKEN = TRACE_SKIP_COUNT
};

/* Times are seconds, of the trace's own beginning or since the first submission. */
struct trace_job {
	uint64_t number;
	double submit, run;
	double eligible;	/* when it could start first: its submission, or later */
	double wait;		/* from there to its start, 0 or more; NAN: not known */
	double requested;	/* run time that it asked for; 0: not known */
	double billing;		/* what it is charged each second */
	double cpu_use;		/* as in struct fathom_run_rate */
	uint32_t association;	/* its index, see trace_tree() */
	uint32_t cpus, nodes;	/* nodes: 0: not known */
	uint32_t partition;	/* its number in the site; the number of partitions: none */
	uint32_t request;	/* its number; 0 unless they are wanted */
};

/* What to read. */
struct trace_source {
	const char *name;		/* of the file */
	const struct format *format;	/* NULL: it is recognised */
	double cpus;			/* of the machine; 0: as the header says */
	const struct trace_site *site;	/* NULL: no partitions are known */
	bool needs_starts;		/* skip jobs whose wait is not known */
	bool wants_requests;		/* note QOS and TRES of jobs */
	/* of the input while the file is read for the first time; or NULL */
	void (*watch)(const struct document *input);
};

struct trace {
	struct document input;	/* its name, and the wrong line of an error */
	void (*watch)(const struct document *input);	/* see struct trace_source */
	const struct format *format;
	double cpus;		/* of the machine; 0: not known */
	bool needs_starts, wants_requests;	/* see struct trace_source */
	/* What jobs ask for, each once: the QOS, a newline, TRES as Slurm writes them. */
	struct numbered_names *requests;
	char *text;		/* room for one of them */
	size_t text_room;
	size_t with_cpu_time;	/* jobs whose CPU time the trace tells */
	bool names_qos, names_tres;	/* any job does; else TRES are CPUs and nodes alone */
	size_t jobs, users, accounts;	/* that are replayed; that have jobs */
	size_t skipped[TRACE_SKIP_COUNT];
	const struct trace_site *site;	/* or NULL */
	struct name_index *partitions;	/* numbers of its partitions by name */
	size_t without_partition;	/* jobs of none of them, if the site has partitions */
	size_t out_of_order;	/* jobs submitted before the one above them */
	size_t eligible_later;	/* jobs that could not start when they were submitted */
	struct accounted_usage associations;
	/* by association: the jobs of these are skipped; or NULL */
	bool *is_unknown;
	struct trace_job *job;	/* if is_kept */
	bool is_kept, is_second;
	bool must_sort;		/* jobs became eligible before the one above them */
	double first_submit, last_submit, last_eligible, origin;
	double epoch;		/* seconds from 1970 to time 0 of trace_read(); NAN: not known */
};

/* Returns a word for the reason, such as "too_large". */
const char *trace_skip_name(enum trace_skip reason);

/* Opens the file and reads its jobs for the first time. The site must live as long as the trace.
 * A format without jobs and a machine of unknown size are wrong. */
void trace_open(struct trace *trace, const struct trace_source *source);
/* Makes the tree of the jobs' associations: accounts below the root, users below them, shares 1,
 * no usage. Node fathom_tree_node_of_row (tree, association) is that of an association. A name that
 * a tree cannot have is wrong. */
void trace_tree(struct trace *trace, struct snapshot *snapshot);
/* Finds the node of each association in a tree by a rule, node[association]; jobs of those that it
 * does not have are skipped. If the rule has an account for strangers, the tree gets a user there
 * for each of them. */
void trace_find_nodes(struct trace *trace, struct snapshot *snapshot,
		      const struct usage_heirs *rule, uint32_t *node);
/* Adds the associations of another trace to one without jobs, at first zeros but for its name, and
 * returns by association of the other its index in this one. */
uint32_t *trace_join(struct trace *whole, const struct trace *other);
/* Gives each job to take(), in the order in which they became eligible; can be called again. */
void trace_read(struct trace *trace, void (*take)(const struct trace_job *job, void *context),
		void *context);
