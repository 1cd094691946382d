/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Some policies (lsf, pbs, flux) and all scopes look at other sums than usage_raw, for example at
 * CPU time with a half-life of its own. Each scheme (the policy in force, a shadow, a scope) has
 * such sums for each association:
 *
 *	a job of anna's is charged  ->  schemes_charge() adds to anna's sums in each scheme
 *	an evaluation               ->  copies the tree and puts the sums into it
 *
 * One thread at a time uses the schemes, the decay thread if there is one. Where a call takes assoc
 * or TRES read, the thread holds none of assoc_mgr's locks.
 */
#pragma once

#include "charging/book.h"
#include "partitions/partition_order.h"
#include "records/associations.h"
#include "results/results.h"
#include "settings/settings.h"
#include "state/usage_image.h"

struct schemes;

/* Usage that no job has used: what an import or a request adds. */
struct usage_added {
	struct fathom_sums imported;	/* what an import adds, as of `age` seconds ago */
	double age;			/* seconds, 0 or more */
	double assigned;		/* what a request adds: seconds of usage, as of now */
};

/* Returns the schemes of these settings; NULL: out of memory. associations, *time: the caller's
 * tree with all usage, and the time up to which usage is decayed and charged; the caller changes
 * both as time goes on. results: where evaluations are published. book, results, associations and
 * time must live as long as the schemes. */
struct schemes *schemes_create(struct book *book, struct results *results,
			       const struct associations *associations, const time_t *time,
			       const struct settings *settings);
void schemes_destroy(struct schemes *schemes);	/* NULL is allowed */

/* Goes on with the schemes of other settings. A scheme that the old settings had, too, keeps its
 * sums; others begin with what was saved for them, or with nothing. Returns false if out of memory;
 * nothing changes then. */
bool schemes_follow(struct schemes *schemes, const struct settings *settings);
/* Returns the settings that were followed last. */
const struct settings *schemes_settings(const struct schemes *schemes);

/* The next five calls change the sums of all schemes that keep sums. If out of memory, they log
 * what is missing. */

/* Adds the charges with the indexes from `first` up to, but without, `end`. Takes tres read. */
void schemes_charge(struct schemes *schemes, const struct fathom_charges *charges, size_t first,
		    size_t end);
/* Sets all sums to 0 at `time`, and drops unclaimed sums. */
void schemes_reset(struct schemes *schemes, time_t time);
/* Multiplies the sums of an association, or of all partitions (FATHOM_NO_ASSOCIATION), by a factor;
 * then adds usage, unless `added` is NULL. id: its members `association` and `account` are read. */
void schemes_change(struct schemes *schemes, const struct fathom_run_id *id, double factor,
		    const struct usage_added *added);
/* Adds the sums of association `from` to those of another one, `to`, and sets those of `from` to
 * 0. */
void schemes_move_one(struct schemes *schemes, uint32_t from, uint32_t to);
/* Moves the sums of each association to the one that heir_of() returns. */
void schemes_move(struct schemes *schemes, fathom_heir_function *heir_of, const void *context);

/* Takes the newest usage of other clusters, which counts in all trees until the next call. own:
 * usage without that, for evaluations, or NULL; the caller's reference passes to the schemes.
 * Returns by node what the other clusters give, with the site's half-life, in an array that the
 * caller frees; NULL: nothing, or out of memory, which is logged. */
double *schemes_take_global(struct schemes *schemes, struct own_usage *own);

/* Evaluates the policies of all schemes and publishes the result. order: of partitions, or NULL.
 * Returns false if that fails, mostly because memory has run out, which is logged; the last
 * evaluation stays then. */
bool schemes_evaluate(struct schemes *schemes, struct partition_order *order);

/* Returns the tree to evaluate a scheme on, with its sums as of the time of usage and with what
 * these `count` runs hold. The tree belongs to the schemes and is valid until the next call for the
 * scheme. If it cannot be made, logs why and returns the tree of associations, without these sums;
 * for a scope with a tree of its own returns NULL and sets *problem. */
const struct fathom_tree *schemes_tree_holding(struct schemes *schemes, size_t scheme,
					       const struct running *running, size_t count,
					       struct fathom_error *problem);
/* Returns the own tree of a scope's scheme, as the last evaluation has made it; NULL: the scheme
 * has no such tree. It belongs to the schemes. */
struct scope_tree *schemes_own_tree(const struct schemes *schemes, size_t scheme);
/* Sets run.id.leaf of each of `count` runs that counts in the scheme and has none yet, if the
 * scheme has a tree of its own. */
void schemes_find_leaves(const struct schemes *schemes, size_t scheme, struct running *running,
			 size_t count);

/* Takes the sums of a saved image, before any charge. Sums of schemes that the settings lack are
 * unclaimed: they are kept until schemes_drop_unclaimed(), as fathom.conf may have an error. */
void schemes_restore(struct schemes *schemes, const struct usage_image *image);
/* Drops unclaimed sums; call it when the settings are known to be those that the site wants. */
void schemes_drop_unclaimed(struct schemes *schemes);
/* Copies all sums into the image, with the unclaimed ones. */
void schemes_copy(const struct schemes *schemes, struct usage_image *image);
