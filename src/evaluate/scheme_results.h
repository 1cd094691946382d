/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree evaluated by each scheme of a rule: by its own policy, and by that of each scope. */
#ifndef EVALUATE_SCHEME_RESULTS_H
#define EVALUATE_SCHEME_RESULTS_H

#include "evaluate/job_rule.h"

struct scheme_result {
	const struct fathom_policy *policy;
	struct fathom_settings settings;
	bool queue_first;		/* DISPATCH_ORDER=QUEUE */
	struct snapshot fork;		/* of a scope, because settings may change the tree */
	const struct fathom_tree *tree;
	struct fathom_result *result;	/* NULL: there is no tree */
};

struct scheme_results {
	struct scheme_result *item;	/* the rule's own, then one for each scope */
	size_t count;
};

/* Evaluates the rule's tree, if it has one. -1: ENOMEM; clear the results then, too. */
int scheme_results_create(struct scheme_results *results, const struct job_rule *rule,
			  struct fathom_error *error);
void scheme_results_clear(struct scheme_results *results);

#endif
