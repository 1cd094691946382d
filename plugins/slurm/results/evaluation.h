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
	double assoc_norm;		/* the association's priority over the largest one */
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
	struct numbered_names names;
	struct fairshare_scoped *figures;	/* by name */
};

/* The results of one scheme. */
struct scheme_results {
	struct fathom_tree *tree;	/* a copy of its tree for FiguresFile, HistoryFile and
					 * MetricsFile; of the first scheme also for UsageFile;
					 * NULL if none of these is set */
	struct fathom_result *result;	/* its columns of usage and of normalised shares are those
					 * of `tree`; do not read them without it */
	struct queue_figures queues;	/* empty if the scheme does not charge partitions */
	struct scope_tree *own;		/* the scope's own tree, if it has UserShares; or NULL */
	/* The next three are by node of the associations' tree. */
	struct fairshare_scoped *scoped;	/* NULL if it is no scope */
	uint32_t *leaf;			/* key of the leaf in the scope's own tree whose figures an
					 * association has; 0: none; NULL: no such tree */
	uint32_t *model;		/* by account: the node whose figures newcomers of the
					 * account get */
};

struct evaluation {
	struct shared shared;
	time_t time;			/* the time of usage */
	struct settings *settings;
	struct fathom_node_index *map;	/* of the associations */
	size_t node_count;		/* of their tree */
	struct scheme_results *scheme;	/* by scheme of these settings */
	struct fairshare_inputs *inputs;	/* by the policy in force; by node */
	struct fairshare_details *details;	/* the same, for a formula; NULL without one */
	struct partition_order *order;	/* or NULL */
	struct global_usage *global;	/* usage of other clusters, which the trees contain; or
					 * NULL */
	struct own_usage *own;		/* usage without that of other clusters; NULL: no file gets
					 * it, or it is not known */
};

/*
 * An evaluation is made in three steps. evaluation_create() returns one of usage as of `time`,
 * whose schemes have no results yet; NULL: out of memory. order: of partitions, or NULL. Then the
 * caller sets `tree` to `own` of each scheme's results. evaluation_list() then lists the figures of
 * all associations; it returns -1 if out of memory.
 */
struct evaluation *evaluation_create(const struct settings *settings,
				     const struct associations *associations, time_t time,
				     struct partition_order *order);
int evaluation_list(struct evaluation *evaluation, const struct associations *associations);
/* Returns the figures of a node of the tree that the result was made on. */
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
/* Prefetches what evaluation_inputs() reads. */
void evaluation_prefetch_inputs(const struct evaluation *evaluation, uint32_t association);
/* Prefetches what evaluation_scoped() reads of the association that has these inputs. */
void evaluation_prefetch_scoped(const struct evaluation *evaluation,
				const struct fairshare_inputs *inputs);
/* Returns the other figures of the association that has these inputs, which evaluation_inputs() has
 * returned and which are not NULL. NULL also if the evaluation was made without a formula. Other
 * settings are no reason as long as they have the same policy in force. */
const struct fairshare_details *evaluation_details(const struct evaluation *evaluation,
						   const struct settings *settings,
						   const struct fairshare_inputs *inputs);
/* Returns the figures of an association by the policy of a scope. */
const struct fairshare_scoped *evaluation_scoped(const struct evaluation *evaluation,
						 const struct settings *settings, size_t scheme,
						 uint32_t association);
/* Returns the figures of a partition by a scheme that charges partitions
 * (FairshareEntity=queue). */
const struct fairshare_scoped *evaluation_queue(const struct evaluation *evaluation,
						const struct settings *settings, size_t scheme,
						const char *partition);
/* Returns the order of partitions that the evaluation was made with. NULL also if it was made
 * without one. */
const struct partition_order *evaluation_order(const struct evaluation *evaluation,
					       const struct settings *settings);

/* Returns the key of the association's leaf in the scope's own tree whose figures it has; 0: none,
 * not known, or the scope has no such tree. */
uint32_t evaluation_leaf(const struct evaluation *evaluation, const struct settings *settings,
			 size_t scheme, uint32_t association);

/*
 * The last two calls find the figures of a newcomer, an association that the evaluation does not
 * know. `account` is the nearest account above it that the evaluation does know. The newcomer
 * receives
 *   - the figures of that account's user with the best factor: it has used nothing, and under each
 *     policy that is best in an account;
 *   - the account's own figures, if no user of it may run;
 *   - the factor 0.5 if that account has none (policies that rank), and always under
 *     flux-accounting's priority, which has that for users it has not evaluated.
 * Return false where the calls above return NULL. evaluation_receive() sets factor and may_run of
 * *inputs, and all else there to 0; *details is what evaluation_details() returns for the node
 * whose figures these are.
 */
bool evaluation_receive(const struct evaluation *evaluation, const struct settings *settings,
			uint32_t account, struct fairshare_inputs *inputs,
			const struct fairshare_details **details);
bool evaluation_receive_scoped(const struct evaluation *evaluation, const struct settings *settings,
			       size_t scheme, uint32_t account, struct fairshare_scoped *scoped);
