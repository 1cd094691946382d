/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluates the shadow policy and ranks users by the factors of both policies. */
#include "evaluate/shadow.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDING 1e-12		/* factors that differ by less, in proportion, are equal */

struct ranked_user {
	double factor;
	size_t node;
};

static int compare_ranked(const void *one, const void *other)
{
	const struct ranked_user *a = one, *b = other;

	return (a->factor < b->factor) - (a->factor > b->factor);
}

static double factor_of(const struct evaluated_tree *of, size_t node)
{
	double factor = of->columns.factor[node];

	return isnan(factor) ? 0 : factor;
}

/* Returns whether two neighbours in the order share a rank. */
static bool is_equal(const struct ranked_user *one, const struct ranked_user *next)
{
	return one->factor - next->factor <= ROUNDING * one->factor;
}

/* Equal factors share a rank, and the ranks after it are skipped: 1, 2, 2, 4. NULL: ENOMEM. */
static double *rank_users(const struct evaluated_tree *of)
{
	const struct fathom_tree *tree = of->snapshot->tree;
	size_t count = fathom_tree_count(tree), users = 0;
	struct ranked_user *order = calloc(count, sizeof(*order));
	double *rank = calloc(count, sizeof(*rank));

	if (!order || !rank)
		goto error;
	for (size_t node = 0; node < count; node++) {
		rank[node] = NAN;
		if (fathom_tree_kind(tree, node) == FATHOM_USER)
			order[users++] = (struct ranked_user){ factor_of(of, node), node };
	}
	qsort(order, users, sizeof(*order), compare_ranked);
	for (size_t i = 0; i < users; i++) {
		bool shares_rank = i && is_equal(&order[i - 1], &order[i]);

		rank[order[i].node] = shares_rank ? rank[order[i - 1].node] : (double)i + 1;
	}
	free(order);
	return rank;
error:
	free(order);
	free(rank);
	return NULL;
}

int shadow_create(struct shadow *shadow, const struct evaluated_tree *in_force,
		  const struct tree_scheme *scheme, struct fathom_error *error)
{
	*shadow = (struct shadow){ 0 };
	if (evaluated_tree_create(&shadow->tree, scheme, error))
		return -1;
	shadow->rank = rank_users(in_force);
	shadow->shadow_rank = rank_users(&shadow->tree);
	if (shadow->rank && shadow->shadow_rank)
		return 0;
	shadow_clear(shadow);
	return fathom_error_no_memory(error);
}

void shadow_clear(struct shadow *shadow)
{
	evaluated_tree_clear(&shadow->tree);
	free(shadow->rank);
	free(shadow->shadow_rank);
	*shadow = (struct shadow){ 0 };
}

double shadow_change(const struct shadow *shadow, size_t node)
{
	return shadow->rank[node] - shadow->shadow_rank[node];
}
