/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An evaluation: the results of all policies in one pass, and the order of partitions then. It
 * never changes, and lives as long as somebody has a reference to it, so that it is read without a
 * lock. Priorities, sprio, sshare and FiguresFile are made of it:
 *
 *	struct evaluation *evaluation = published_get(&results->evaluation);
 *	const struct fairshare_figures *figures =
 *		evaluation_figures(evaluation, settings, 0, job->assoc_id);
 *	... figures ? figures->factor : 0 ...
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

/* The figures of one association by the policy of a scheme, or of one partition, that the priority
 * of each of its jobs is computed from. */
struct fairshare_figures {
	double factor;			/* fair-share factor, 0 to 1; NAN: none */
	double assoc_norm;		/* the association's priority over the largest one of all
					 * associations, 0 to 1 */
	uint32_t assoc_priority, account_priority;	/* as sacctmgr has set them */
	bool may_run;			/* false: the policy starts no jobs of it */
};

/* What formulas need besides. */
struct fairshare_shares {
	double norm_shares, effective_usage;	/* 0 to 1 */
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
	struct fairshare_figures *figures;	/* by number of the name; without priorities */
	struct fairshare_shares *shares;	/* the same */
};

/* The results of one scheme. */
struct scheme_results {
	struct fathom_tree *tree;	/* a copy of the tree that it was evaluated on, for
					 * FiguresFile, HistoryFile and MetricsFile; of scheme 0
					 * also for UsageFile; NULL: none of these is set */
	struct fathom_result *result;	/* its columns of usage and of normalised shares are those
					 * of `tree`; do not read them without it */
	struct queue_figures queues;	/* empty if the scheme does not charge partitions */
	struct scope_tree *own_tree;	/* that of a scope with UserShares; or NULL */
	/* The next three are by node of the associations' tree. */
	struct fairshare_figures *figures;	/* NULL: a shadow */
	struct fairshare_shares *shares;	/* NULL: a shadow, or there is no formula */
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
	double (*columns)[FATHOM_MAX_COLUMNS];	/* by node: columns of the policy in force, for
						 * formulas; NULL: there is no formula */
	struct partition_order *order;	/* or NULL: there was none at the time */
	struct global_usage *global;	/* usage of other clusters, which the trees contain; or
					 * NULL */
	struct own_usage *own_usage;	/* usage without that of other clusters; NULL: no file gets
					 * it, or it is not known */
};

/*
 * An evaluation is made in three steps: evaluation_create(); then the caller sets the members from
 * `tree` to `own_tree` in each scheme's results; then evaluation_list().
 */

/* Returns an evaluation of usage as of `time`, whose schemes have no results yet. order: of
 * partitions, or NULL. NULL: out of memory. */
struct evaluation *evaluation_create(const struct settings *settings,
				     const struct associations *associations, time_t time,
				     struct partition_order *order);
/* Lists the figures of all associations by the results of all schemes. Returns -1 if out of
 * memory; the caller then releases the evaluation. */
int evaluation_list(struct evaluation *evaluation, const struct associations *associations);
/* Returns the figures that a result has of a node of its tree, without priorities. */
struct fairshare_figures evaluation_figures_at(const struct fathom_result *result,
					       const struct fathom_settings *settings, size_t node);
struct fairshare_shares evaluation_shares_at(const struct fathom_result *result, size_t node);

/*
 * Returns the node of the association that has these figures. Their place in the array tells it, so
 * they must be those that evaluation_figures() and evaluation_receive() return: not a copy, and not
 * those of a partition. That is so for all functions below that find something by figures.
 */
static inline size_t evaluation_node(const struct scheme_results *results,
				     const struct fairshare_figures *figures)
{
	return (size_t)(figures - results->figures);
}

/*
 * The next calls return NULL if `evaluation` is NULL, if it does not know the association or
 * partition, or if it was made under other settings than `settings`. scheme: an index in these
 * settings. What they return belongs to the evaluation.
 */

/* Returns the figures of an association by a scheme; of the policy in force, scheme 0, whatever the
 * present settings. */
static inline const struct fairshare_figures *
evaluation_figures(const struct evaluation *evaluation, const struct settings *settings,
		   size_t scheme, uint32_t association)
{
	uint32_t node;

	if (!evaluation || (scheme && evaluation->settings != settings) ||
	    !fathom_node_index_find(evaluation->map, association, &node))
		return NULL;
	return &evaluation->scheme[scheme].figures[node];
}

/* Returns the shares of the association that has these figures in a scheme; NULL: there is no
 * formula. */
static inline const struct fairshare_shares *
evaluation_shares(const struct evaluation *evaluation, size_t scheme,
		  const struct fairshare_figures *figures)
{
	const struct scheme_results *results = &evaluation->scheme[scheme];

	return results->shares ? &results->shares[evaluation_node(results, figures)] : NULL;
}

/* Returns the columns of the association that has these figures in scheme 0, which are not NULL.
 * Returns NULL if the evaluation was made without a formula, or with another policy in force than
 * that of `settings`; all else may differ in the settings. */
const double *evaluation_columns(const struct evaluation *evaluation,
				 const struct settings *settings,
				 const struct fairshare_figures *figures);
/* Returns the figures of a partition by a scheme that charges partitions (FairshareEntity=queue),
 * and sets *shares to what belongs to them. */
const struct fairshare_figures *evaluation_queue(const struct evaluation *evaluation,
						 const struct settings *settings, size_t scheme,
						 const char *partition,
						 const struct fairshare_shares **shares);
/* Returns the order of partitions that the evaluation was made with. NULL also if it was made
 * without an order, or if the order was made under other settings. */
const struct partition_order *evaluation_order(const struct evaluation *evaluation,
					       const struct settings *settings);

/* Prefetches what evaluation_figures() reads. evaluation: or NULL. */
void evaluation_prefetch(const struct evaluation *evaluation, uint32_t association);
/* Prefetches the figures that the first few scopes have of the association that has these figures
 * in scheme 0. evaluation, figures: not NULL. */
void evaluation_prefetch_scopes(const struct evaluation *evaluation,
				const struct fairshare_figures *figures);

/* Returns the key of the association's leaf in the scope's own tree whose figures it has; 0: none,
 * not known, or the scope has no such tree. */
uint32_t evaluation_leaf(const struct evaluation *evaluation, const struct settings *settings,
			 size_t scheme, uint32_t association);

/*
 * Sets *figures to those of a newcomer by a scheme, without priorities. The newcomer is an
 * association that the evaluation does not know, `account` the nearest account above it that the
 * evaluation does know. The newcomer receives
 *   - the figures of that account's user with the best factor: who has used nothing is the best in
 *     an account under each policy;
 *   - the account's own figures, if no user of it may run; the factor 0.5, if the account has no
 *     factor, as under policies that rank;
 *   - always the factor 0.5 under flux-accounting's priority, as flux-accounting gives it to users
 *     that it has not evaluated.
 * Returns the figures of the user or account from whom it receives them. NULL: the evaluation does
 * not know the account; or as for evaluation_figures().
 */
const struct fairshare_figures *evaluation_receive(const struct evaluation *evaluation,
						   const struct settings *settings, size_t scheme,
						   uint32_t account,
						   struct fairshare_figures *figures);
