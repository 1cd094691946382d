/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An evaluation: the results of all policies in one pass, and the order of partitions then. It
 * never changes, and lives as long as somebody has a reference to it, so that it is read without a
 * lock. Priorities, sprio, sshare and FiguresFile are made of it:
 *
 *	struct evaluation *evaluation = published_get(&results->evaluation);
 *	const struct fairshare_inputs *inputs = evaluation_inputs(evaluation, job->assoc_id);
 *	... inputs ? inputs->factor : 0 ...
 *	shared_release(evaluation);
 */
#pragma once

#include "base/compat.h"
#include "base/shared.h"
#include "core/numbered_names.h"
#include "fathom.h"
#include "partitions/partition_order.h"
#include "records/associations.h"
#include "results/global_usage.h"
#include "results/scope_tree.h"
#include "settings/settings.h"

/* The figures of one association, by the policy in force, that the priority of each of its jobs is
 * computed from. */
struct fairshare_inputs {
	double factor;			/* fair-share factor, 0 to 1; NAN: none */
	double assoc_norm;		/* the association's priority over the largest one of all
					 * associations, 0 to 1 */
	uint32_t assoc_priority, account_priority;	/* as sacctmgr has set them */
	bool may_run;			/* false: the policy starts no jobs of it */
};

/* The other figures of one association by the policy in force, for formulas. */
struct fairshare_details {
	double norm_shares, effective_usage;	/* 0 to 1 */
	double column[FATHOM_MAX_COLUMNS];	/* the policy's columns */
};

/* The figures of one association by the policy of a scope, or of one partition. */
struct fairshare_scoped {
	double factor, norm_shares, effective_usage;	/* 0 to 1 */
	bool may_run;			/* false: the policy starts no jobs of it */
};

/*
 * The figures of partitions under policy pbs with FairshareEntity=queue, in the tree that
 * ResourceGroup lines make:
 *
 *	ResourceGroup="gpu root 30", ResourceGroup="cpu root 70"; gpu has used all
 *	gpu: factor 2^-(1 / 0.3)	cpu: factor 1
 */
struct queue_figures {
	struct numbered_names names;	/* of partitions */
	struct fairshare_scoped *figures;	/* by number of the name */
};

/* The results of one scheme. */
struct scheme_results {
	struct fathom_tree *tree;	/* a copy of the tree that it was evaluated on, for
					 * FiguresFile, HistoryFile and MetricsFile; of scheme 0
					 * also for UsageFile; NULL: none of these is set */
	struct fathom_result *result;	/* its columns of usage and of normalised shares are those
					 * of `tree`; do not read them without it */
	struct queue_figures queues;	/* empty if the scheme does not charge partitions */
	struct scope_tree *own;		/* the scope's own tree, if it has UserShares; or NULL */
	/* The next three are by node of the associations' tree. */
	struct fairshare_scoped *scoped;	/* NULL: the scheme is no scope */
	uint32_t *leaf;			/* key of the leaf in the scope's own tree whose figures an
					 * association has, 0: none; NULL: the scheme has no such
					 * tree */
	uint32_t *model;		/* for accounts: the node whose figures newcomers of the
					 * account get; for users: themselves. NULL: a shadow */
};

/* See the head of this file. Members are read by all threads, and only set while it is made. */
struct evaluation {
	struct shared shared;
	time_t time;			/* the time up to which usage was decayed and charged */
	struct settings *settings;
	struct fathom_node_index *map;	/* finds nodes by the ids of associations */
	size_t node_count;		/* of the associations' tree */
	struct scheme_results *scheme;	/* by scheme of these settings */
	struct fairshare_inputs *inputs;	/* by node; by the policy in force */
	struct fairshare_details *details;	/* by node; by the policy in force; NULL: there is
						 * no formula */
	struct partition_order *order;	/* or NULL: there was none at the time */
	struct global_usage *global;	/* usage of other clusters, which the trees contain; or
					 * NULL */
	struct own_usage *own;		/* usage without that of other clusters; NULL: no file gets
					 * it, or it is not known */
};

/*
 * An evaluation is made in three steps: evaluation_create(); then the caller sets the members from
 * `tree` to `own` in each scheme's results; then evaluation_list().
 */

/* Returns an evaluation of usage as of `time`, whose schemes have no results yet. order: of
 * partitions, or NULL. NULL: out of memory. */
struct evaluation *evaluation_create(const struct settings *settings,
				     const struct associations *associations, time_t time,
				     struct partition_order *order);
/* Lists the figures of all associations by the results of all schemes. Returns -1 if out of
 * memory; the caller then releases the evaluation. */
int evaluation_list(struct evaluation *evaluation, const struct associations *associations);
/* Returns the figures that a result has of a node of its tree. */
struct fairshare_scoped evaluation_scoped_at(const struct fathom_result *result,
					     const struct fathom_settings *settings, size_t node);

/*
 * The next calls return NULL if `evaluation` is NULL, if it does not know the association or
 * partition, or if it was made under other settings than `settings`. scheme: an index in these
 * settings. What they return belongs to the evaluation.
 */

/* Returns the figures of an association by the policy in force, whatever the present settings. */
const struct fairshare_inputs *evaluation_inputs(const struct evaluation *evaluation,
						 uint32_t association);
/* Returns the details of the association that has these inputs, which evaluation_inputs() has
 * returned and which are not NULL. Returns NULL if the evaluation was made without a formula, or
 * with another policy in force than that of `settings`; all else may differ in the settings. */
const struct fairshare_details *evaluation_details(const struct evaluation *evaluation,
						   const struct settings *settings,
						   const struct fairshare_inputs *inputs);
/* Returns the figures of an association by the policy of a scope. scheme: that of the scope. */
const struct fairshare_scoped *evaluation_scoped(const struct evaluation *evaluation,
						 const struct settings *settings, size_t scheme,
						 uint32_t association);
/* Returns the figures of a partition by a scheme that charges partitions
 * (FairshareEntity=queue). */
const struct fairshare_scoped *evaluation_queue(const struct evaluation *evaluation,
						const struct settings *settings, size_t scheme,
						const char *partition);
/* Returns the order of partitions that the evaluation was made with. NULL also if it was made
 * without an order, or if the order was made under other settings. */
const struct partition_order *evaluation_order(const struct evaluation *evaluation,
					       const struct settings *settings);

/* Prefetches what evaluation_inputs() reads. evaluation: or NULL. */
void evaluation_prefetch_inputs(const struct evaluation *evaluation, uint32_t association);
/* Prefetches what evaluation_scoped() reads of the association that has these inputs, in the first
 * few scopes. evaluation, inputs: not NULL. */
void evaluation_prefetch_scoped(const struct evaluation *evaluation,
				const struct fairshare_inputs *inputs);

/* Returns the key of the association's leaf in the scope's own tree whose figures it has; 0: none,
 * not known, or the scope has no such tree. */
uint32_t evaluation_leaf(const struct evaluation *evaluation, const struct settings *settings,
			 size_t scheme, uint32_t association);

/*
 * The last two calls find the figures of a newcomer, an association that the evaluation does not
 * know. `account` is the nearest account above it that the evaluation does know. The newcomer
 * receives
 *   - the figures of that account's user with the best factor: who has used nothing is the best in
 *     an account under each policy;
 *   - the account's own figures, if no user of it may run; the factor 0.5, if the account has no
 *     factor, as under policies that rank;
 *   - always the factor 0.5 under flux-accounting's priority, as flux-accounting gives it to users
 *     that it has not evaluated.
 */

/* Sets *inputs to the factor and may_run of the newcomer by the policy in force, and all else there
 * to 0; sets *details to what evaluation_details() returns for the node whose figures these are.
 * Returns false if `evaluation` is NULL or does not know the account. */
bool evaluation_receive(const struct evaluation *evaluation, const struct settings *settings,
			uint32_t account, struct fairshare_inputs *inputs,
			const struct fairshare_details **details);
/* Sets *scoped to the figures of the newcomer by the policy of a scope. Returns false also if the
 * evaluation was made under other settings. */
bool evaluation_receive_scoped(const struct evaluation *evaluation, const struct settings *settings,
			       size_t scheme, uint32_t account, struct fairshare_scoped *scoped);
