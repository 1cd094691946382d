/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the jobs of a trace twice: first to find the associations, and whether the jobs stand in
 * the order in which they became eligible; then to replay them. The jobs of a trace of moderate
 * length, or of one that has to be sorted, are kept in memory instead of being read again.
 *
 *	trace_open(&trace, &source);		the first reading
 *	trace_tree(&trace, &snapshot);		makes a tree of the associations; or
 *	trace_find_nodes(&trace, ...)		finds them in another tree
 *	trace_read(&trace, take, context);	calls take() with each job
 */
#pragma once

#include "core/numbered_names.h"
#include "core/snapshot.h"
#include "format/accounting/accounting.h"
#include "format/format.h"

/* A partition of the site. */
struct trace_partition {
	const char *name;
	double cpus;			/* of all its nodes */
	double max_nodes;		/* that a job may have; 0: any number */
	double max_time, default_time;	/* seconds; 0: none */
	bool is_up;			/* it starts jobs */
};

struct trace_site {
	const struct trace_partition *partition;
	size_t count;
	size_t standard;	/* index of the partition of jobs that name none; count: they run on
				 * all nodes */
	bool has_nodes;		/* the nodes of partitions are known; else each has all nodes */
};

/* Returns the time 0 of the trace that a job is of, if that has its own time: seconds since 1970;
 * NAN: its header does not tell it. */
double trace_epoch_of(const struct accounted_job *job);

/* Why a record is not replayed. */
enum trace_skip {
	TRACE_PART,		/* it is for a part of a job */
	TRACE_UNFINISHED,	/* the job waited or ran when the records were made */
	TRACE_NOT_RUN,		/* the job has not run, or its run time is not known */
	TRACE_NO_SUBMIT,	/* the submit time is not known */
	TRACE_NO_START,		/* the start is not known, but needed; see needs_starts */
	TRACE_NO_CPUS,		/* the number of CPUs is not known */
	TRACE_TOO_LARGE,	/* the job is too large for the machine, or its partition */
	TRACE_TOO_LONG,		/* the job asks for more than its partition's MaxTime */
	TRACE_NO_PARTITION,	/* the site does not have the job's partition */
	TRACE_NOT_UP,		/* the job's partition does not start jobs */
	TRACE_NO_ASSOCIATION,	/* the tree does not have the job's user and account */
	TRACE_SKIP_COUNT,
	TRACE_TAKEN = TRACE_SKIP_COUNT	/* no reason: it is replayed */
};

/* A job that is replayed. trace_read() gives times in seconds from time 0, which is the trace's
 * own, or else the first submission; see trace.epoch. */
struct trace_job {
	uint64_t number;	/* the job's id */
	double submit;
	double run;		/* seconds that it ran */
	double eligible;	/* when it could start first: its submission, or later */
	double wait;		/* seconds from `eligible` to its start; NAN: not known */
	double requested;	/* seconds of run time that it asked for; 0: not known */
	double billing;		/* billing TRES: what it is charged each second */
	double cpu_use;		/* see core/cpu_use.h */
	double queue_priority, bank_priority;	/* of flux-accounting; 0: none */
	uint32_t association;	/* index in trace.associations, see trace_tree() */
	uint32_t cpus, nodes;	/* nodes: 0: not known */
	uint32_t partition;	/* index in the site; the number of partitions: all nodes; 0
				 * without a site */
	uint32_t request;	/* index in trace.requests; 0 unless wants_requests */
};

/* What to read. */
struct trace_source {
	const char *name;		/* of the file */
	const struct format *format;	/* NULL: it is recognised */
	double cpus;			/* of the machine; 0: that of the header */
	const struct trace_site *site;	/* NULL: no partitions are known */
	const struct snapshot *tree;	/* as in struct accounting_rules */
	bool needs_starts;		/* skip jobs whose wait is not known */
	bool wants_requests;		/* note QOS and TRES of jobs */
	/* document.watch while the file is read for the first time; may be NULL */
	void (*watch)(const struct document *input);
};

/* How a tree has an association, see trace_find_nodes(). Jobs of one that is not found are
 * skipped. */
enum trace_found { FOUND_AS_TOLD, FOUND_BY_USER_ALONE, NOT_FOUND };

/* A trace. trace_open() sets all members; commands that make jobs of another source set some. */
struct trace {
	struct document input;
	void (*watch)(const struct document *input);	/* see struct trace_source */
	const struct format *format;
	double cpus;		/* of the machine; above 0 and finite, if `jobs` is not 0 */
	bool needs_starts, wants_requests;	/* see struct trace_source */
	/* What jobs ask for, each once: the QOS, a newline, TRES as Slurm writes them:
	 * "normal\ncpu=4,mem=8000M". Empty unless wants_requests. */
	struct numbered_names *requests;
	char *text;		/* room to make one of them */
	size_t text_room;
	size_t with_cpu_time;	/* jobs whose CPU time the trace tells */
	bool names_qos, names_tres;	/* a job names its QOS; its TRES, not only CPUs and nodes */
	size_t jobs;		/* that are replayed */
	size_t users, accounts;	/* that have jobs */
	size_t skipped[TRACE_SKIP_COUNT];	/* records, for each reason */
	const struct trace_site *site;	/* or NULL */
	struct name_index *partitions;	/* from names to indices of site->partition */
	size_t without_partition;	/* with a site: jobs that run in none of its partitions */
	size_t out_of_order;	/* jobs that were submitted before the job above them */
	size_t eligible_later;	/* jobs that became eligible after their submission */
	struct accounted_associations associations;	/* of the jobs */
	enum trace_found *found;	/* by association; NULL: the tree has all */
	size_t by_user;		/* jobs that trace_read() has given with FOUND_BY_USER_ALONE */
	struct trace_job *job;	/* `jobs` of them, if is_kept */
	bool is_kept;		/* the jobs are in memory */
	bool must_sort;		/* a job goes before the job above it, see trace.c */
	double first_submit, last_submit;	/* the least and the greatest submit time */
	double last_end;	/* the latest end if each job started when it became eligible */
	struct trace_job last;	/* that was read last */
	double origin;		/* time 0 of trace_read() in the times of `job` */
	double epoch;		/* seconds from 1970 to time 0 of trace_read(); NAN: not known */
};

/* Returns a word for a reason to skip, such as "too_large". */
const char *trace_skip_name(enum trace_skip reason);
/* Returns how many jobs were skipped for a reason, in words: "3 jobs that never ran". */
const char *trace_skipped_words(const struct trace *trace, enum trace_skip reason);

/* Opens the file, and reads its jobs for the first time. The site must live as long as the trace.
 * Fails, see wrong_at(), if the format has no records of jobs, or nothing tells the size of the
 * machine. */
void trace_open(struct trace *trace, const struct trace_source *source);
/* Makes the tree of the jobs' associations: accounts below the root, users below them, 1 share
 * each, no usage. The node of an association is fathom_tree_node_of_row(tree, association). Fails,
 * see wrong_at(), if a tree cannot have a name. */
void trace_tree(struct trace *trace, struct snapshot *snapshot);
/* Finds the node of each association in a tree by a rule, and lets trace_read() skip the jobs of
 * those that the tree does not have. Records of PBS and LSF name groups and projects, which need
 * not be accounts: an association of theirs that is sought by all its names, and is not found, is
 * that of the user's default account, else the only one of the user. If the rule has an account
 * for strangers, and the tree has that, the tree is replaced by one in which each user who is not
 * found is a user of that account. node: gets the node by association; 0 for one that is not
 * found. */
void trace_find_nodes(struct trace *trace, struct snapshot *snapshot,
		      const struct association_rule *rule, uint32_t *node);
/* Adds the associations of a trace to those of several. joined: has no jobs; before the first call
 * all zeros, except its input.name and format. Returns the index in `joined` by association of
 * `other`. */
uint32_t *trace_join(struct trace *joined, const struct trace *other);
/* Calls take() with each job, in the order in which they became eligible. May be called again. */
void trace_read(struct trace *trace, void (*take)(const struct trace_job *job, void *context),
		void *context);
