/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "evaluate/scheme_results.h"

#include "core/error.h"
#include "evaluate/pbs_unknown_group.h"

#include <stdlib.h>

static int evaluate(struct scheme_result *item, const struct snapshot *snapshot,
		    struct fathom_error *error)
{
	item->result = fathom_result_create(item->policy, snapshot->tree, error);
	if (!item->result)
		return -1;
	item->tree = snapshot->tree;
	pbs_unknown_group_set_shares(snapshot, item->policy, &item->settings);
	fathom_evaluate(item->result, snapshot->tree, &item->settings);
	return 0;
}

static int evaluate_scope(struct scheme_result *item, const struct job_scope *scope,
			  const struct snapshot *snapshot, struct fathom_error *error)
{
	*item = (struct scheme_result){ .policy = scope->policy, .settings = scope->settings,
					.queue_first = scope->queue_first };
	if (!snapshot)
		return 0;
	if (scope->snapshot)
		snapshot = scope->snapshot;
	if (snapshot_fork(&item->fork, snapshot, error))
		return -1;
	return evaluate(item, &item->fork, error);
}

/* Scopes go first, before settings of the rule's own policy change the tree. */
int scheme_results_create(struct scheme_results *results, const struct job_rule *rule,
			  struct fathom_error *error)
{
	results->count = 1 + rule->scope_count;
	results->item = calloc(results->count, sizeof(*results->item));
	if (!results->item)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < rule->scope_count; i++)
		if (evaluate_scope(&results->item[1 + i], &rule->scope[i], rule->snapshot, error))
			return -1;
	results->item->policy = rule->policy;
	results->item->settings = rule->settings;
	return rule->snapshot ? evaluate(results->item, rule->snapshot, error) : 0;
}

void scheme_results_clear(struct scheme_results *results)
{
	for (size_t i = 0; results->item && i < results->count; i++) {
		fathom_result_destroy(results->item[i].result);
		snapshot_fork_clear(&results->item[i].fork);
	}
	free(results->item);
}
