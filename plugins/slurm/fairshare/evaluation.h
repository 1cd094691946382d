/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all policies came to in one pass, and how partitions stood. It never
 * changes, and lives as long as somebody has a reference to it: it is read without
 * a lock. Priorities, sprio, sshare and FiguresFile are made of it.
 */
#ifndef SLURM_EVALUATION_H
#define SLURM_EVALUATION_H

#include "base/compat.h"
#include "fathom.h"
#include "partitions/partition_order.h"
#include "settings/settings.h"

struct evaluation;

/* What jobs' priorities are computed from, of one association. */
struct fairshare_inputs {
	double factor, assoc_norm;
	uint32_t assoc_priority, account_priority;
	bool may_run;		/* false: the policy starts no jobs of it */
};

/* The other figures of the policy in force, for formulas. */
struct fairshare_details {
	double norm_shares, effective_usage;
	double column[FATHOM_MAX_COLUMNS];
};

/* What a scope's policy came to, of one association. */
struct fairshare_scoped {
	double factor, norm_shares, effective_usage;
	bool may_run;		/* false: the policy starts no jobs of it */
};

/* In any thread; the last reference frees it. NULL is allowed, here and below:
 * then it knows no association. */
void evaluation_release(struct evaluation *evaluation);

/* NULL: it does not know the association. */
const struct fairshare_inputs *evaluation_inputs(const struct evaluation *evaluation,
						 uint32_t association);
/* Asks for the memory that this reads. */
void evaluation_prefetch_inputs(const struct evaluation *evaluation, uint32_t association);
/* Of the same association as `inputs`, which are the evaluation's own. NULL: it was
 * made under settings without a formula, or under another policy. */
const struct fairshare_details *evaluation_details(const struct evaluation *evaluation,
						   const struct settings *settings,
						   const struct fairshare_inputs *inputs);
/* NULL: it does not know the association, or was made under other settings.
 * scheme: of a scope. */
const struct fairshare_scoped *evaluation_scoped(const struct evaluation *evaluation,
						 const struct settings *settings, size_t scheme,
						 uint32_t association);

/* How a partition stands. NULL: without an order, or it was made under other settings.
 * queue: of these, or NULL. */
const struct partition_class *evaluation_class(const struct evaluation *evaluation,
					   const struct settings *settings,
					   const struct queue *queue);

/*
 * What an association that the evaluation does not know has until the next one
 * knows it, by the nearest account above that this one knows:
 *   - the figures of the user of that account who has the best factor, as a
 *     newcomer has used nothing, which is best in an account under each policy;
 *   - the account's own, if no user of it may run;
 *   - the factor 0.5 where that account has none (policies that rank), and under
 *     flux-accounting's priority, which gives that to whom it has not evaluated.
 * False: it does not know the account either, or was made under other settings
 * than `settings`.
 */
bool evaluation_receive(const struct evaluation *evaluation, uint32_t account,
			struct fairshare_inputs *inputs);	/* factor and may_run alone */
bool evaluation_receive_scoped(const struct evaluation *evaluation,
			       const struct settings *settings, size_t scheme, uint32_t account,
			       struct fairshare_scoped *scoped);
/* NULL as with evaluation_details(). */
const struct fairshare_details *evaluation_receive_details(const struct evaluation *evaluation,
							   const struct settings *settings,
							   uint32_t account);

/* The rest is for those who have an evaluation for certain. */
time_t evaluation_time(const struct evaluation *evaluation);	/* usage is as of then */
const struct settings *evaluation_settings(const struct evaluation *evaluation);
const struct fathom_node_index *evaluation_map(const struct evaluation *evaluation);
/* By scheme of its settings. The columns of usage and of normalised shares are
 * those of the tree below, and must not be read where that is NULL. */
const struct fathom_result *evaluation_result(const struct evaluation *evaluation, size_t scheme);
/* What it was evaluated on, not to be changed; NULL: its settings have no FiguresFile. */
struct fathom_tree *evaluation_tree(const struct evaluation *evaluation, size_t scheme);

#endif
