/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of policies, functions that ask about a policy, and results, which hold the columns
 * that an evaluation fills. */
#include "policy/policy.h"

#include "core/error.h"
#include "core/small_letters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct fathom_policy *const table[] = {
#define POLICY(name) &policy_##name,
#include "policy/policies.h"
#undef POLICY
};

size_t fathom_policy_count(void)
{
	return sizeof(table) / sizeof(*table);
}

const struct fathom_policy *fathom_policy_at(size_t index)
{
	return table[index];
}

const struct fathom_policy *fathom_policy_find(const char *name)
{
	for (size_t i = 0; i < fathom_policy_count(); i++)
		if (same_word(table[i]->name, name) ||
		    (table[i]->alias && same_word(table[i]->alias, name)))
			return table[i];
	return NULL;
}

/* Defines a function that returns a member of an object. */
#define GETTER(type, function, object, member) \
	type function(const struct object *of) \
	{                                      \
		return of->member;             \
	}

GETTER(const char *, fathom_policy_name, fathom_policy, name)
GETTER(const char *, fathom_policy_summary, fathom_policy, summary)
GETTER(const char *, fathom_policy_tie_mode, fathom_policy, tie_mode)
GETTER(enum fathom_priority_rule, fathom_policy_priority_rule, fathom_policy, priority_rule)
GETTER(size_t, fathom_policy_setting_count, fathom_policy, setting_count)
GETTER(size_t, fathom_policy_column_count, fathom_policy, column_count)
GETTER(bool, policy_takes_user_shares, fathom_policy, takes_user_shares)
GETTER(enum priority_flag, policy_flag, fathom_policy, flag)
GETTER(const double *, fathom_result_usage, fathom_result, usage)
GETTER(const double *, fathom_result_norm_shares, fathom_result, norm_shares)
GETTER(const double *, fathom_result_norm_usage, fathom_result, norm_usage)
GETTER(const double *, fathom_result_effective_usage, fathom_result, effective_usage)
GETTER(const double *, fathom_result_factor, fathom_result, factor)

const struct fathom_setting *fathom_policy_setting(const struct fathom_policy *policy, size_t index)
{
	return &policy->settings[index];
}

const struct fathom_column *fathom_policy_column(const struct fathom_policy *policy, size_t index)
{
	return &policy->columns[index];
}

const char *fathom_policy_with_column(const char *column)
{
	for (size_t i = 0; i < fathom_policy_count(); i++)
		if (policy_column_named(table[i], column) != POLICY_HAS_NONE)
			return table[i]->name;
	return NULL;
}

/* ---- traits ---------------------------------------------------------------- */

size_t policy_setting_with(const struct fathom_policy *policy, enum setting_role role)
{
	for (size_t i = 0; i < policy->setting_count; i++)
		if (policy->setting_role[i] == role)
			return i;
	return POLICY_HAS_NONE;
}

size_t policy_setting_named(const struct fathom_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->setting_count; i++)
		if (fathom_setting_named(&policy->settings[i], name))
			return i;
	return POLICY_HAS_NONE;
}

void policy_set(const struct fathom_policy *policy, struct fathom_settings *settings,
		enum setting_role role, double value)
{
	size_t i = policy_setting_with(policy, role);

	if (i != POLICY_HAS_NONE)
		settings->value[i] = value;
}

bool policy_ranks_users(const struct fathom_policy *policy)
{
	return policy_column_with(policy, COLUMN_PLACE) != POLICY_HAS_NONE ||
	       policy_column_with(policy, COLUMN_RANK) != POLICY_HAS_NONE;
}

size_t policy_column_with(const struct fathom_policy *policy, enum column_role role)
{
	for (size_t i = 0; i < policy->column_count; i++)
		if (policy->column_role[i] == role)
			return i;
	return POLICY_HAS_NONE;
}

size_t policy_column_named(const struct fathom_policy *policy, const char *name)
{
	for (size_t i = 0; i < policy->column_count; i++)
		if (!strcmp(policy->columns[i].name, name))
			return i;
	return POLICY_HAS_NONE;
}

enum column_role policy_column_role(const struct fathom_policy *policy, size_t index)
{
	return policy->column_role[index];
}

bool policy_shows_column(const struct fathom_policy *policy, const struct fathom_settings *settings,
			 size_t index)
{
	return policy->column_role[index] != COLUMN_OPTIONAL ||
	       policy->shows_optional(settings->value);
}

bool policy_is_damped(const struct fathom_policy *policy)
{
	return policy_setting_with(policy, SETTING_DAMPENING_FACTOR) != POLICY_HAS_NONE;
}

bool policy_is_first_come(const struct fathom_policy *policy)
{
	return !policy->comparison && !policy->choose_comparison;
}

const struct fathom_policy *policy_first_come(void)
{
	return &policy_fcfs;
}

const struct fathom_policy *policy_of_flag(enum priority_flag flag)
{
	size_t i = 0;

	while (table[i]->flag != flag)
		i++;
	return table[i];
}

const struct policy_comparison *policy_comparison(const struct fathom_policy *policy,
						  const struct fathom_settings *settings)
{
	return policy->choose_comparison ? policy->choose_comparison(settings->value)
					 : policy->comparison;
}

int policy_usage_resource(const struct fathom_policy *policy, const struct fathom_tree *tree)
{
	const struct policy_sums *sums = policy->sums;

	if (!sums || !sums->idle || !tree->own_resource[sums->usage_resource])
		return POLICY_USES_USAGE;
	return (int)sums->usage_resource;
}

int policy_set_idle(const struct fathom_policy *policy, const struct fathom_settings *settings,
		    struct fathom_tree *tree, const struct fathom_tree *from, size_t node,
		    double seconds, double site, struct fathom_error *error)
{
	double left = fathom_decay(seconds, fathom_policy_half_life(policy, settings, site));

	if (policy_usage_resource(policy, from) == POLICY_USES_USAGE)
		fathom_tree_set_own_usage(tree, node, fathom_tree_own_usage(from, node) * left);
	if (!policy->sums || !policy->sums->idle)
		return 0;
	return policy->sums->idle(tree, from, node, left, error);
}

/* ---- results --------------------------------------------------------------- */

/* Returns a column without values; NULL: out of memory. */
static double *column_create(size_t count)
{
	return malloc(count * sizeof(double));
}

/* Returns whether a column of this role is one that all policies have, under another name. */
static bool is_common(enum column_role role)
{
	return role >= COLUMN_NORM_SHARES;
}

struct fathom_result *fathom_result_create(const struct fathom_policy *policy,
					   const struct fathom_tree *tree,
					   struct fathom_error *error)
{
	struct fathom_result *result = calloc(1, sizeof(*result));
	size_t n = tree->node_count;
	size_t scratch = policy->scratch_size ? policy->scratch_size(tree) : 0;

	if (!result)
		goto error;
	result->policy = policy;
	if (!(result->norm_usage = column_create(n)) ||
	    !(result->effective_usage = column_create(n)) || !(result->factor = column_create(n)))
		goto error;
	for (size_t i = 0; i < policy->column_count; i++)
		if (!is_common(policy->column_role[i]) && !(result->column[i] = column_create(n)))
			goto error;
	if (scratch && !(result->scratch = malloc(scratch)))
		goto error;
	return result;
error:
	fathom_error_set(error, ENOMEM, "%zu associations: out of memory", n);
	fathom_result_destroy(result);
	return NULL;
}

void fathom_result_destroy(struct fathom_result *result)
{
	if (!result)
		return;
	free(result->norm_usage);
	free(result->effective_usage);
	free(result->factor);
	for (size_t i = 0; i < FATHOM_MAX_COLUMNS; i++)
		free(result->column[i]);
	free(result->scratch);
	free(result);
}

void fathom_evaluate(struct fathom_result *result, const struct fathom_tree *tree,
		     const struct fathom_settings *settings)
{
	result->usage = tree->usage;
	result->policy->evaluate(tree, settings->value, result);
}

const double *fathom_result_column(const struct fathom_result *result, size_t index)
{
	enum column_role role = result->policy->column_role[index];
	const double *const common[] = {
		[COLUMN_NORM_SHARES] = result->norm_shares,
		[COLUMN_EFFECTIVE_USAGE] = result->effective_usage,
		[COLUMN_FACTOR] = result->factor,
	};

	return is_common(role) ? common[role] : result->column[index];
}

bool fathom_result_may_run(const struct fathom_result *result,
			   const struct fathom_settings *settings, size_t node)
{
	return policy_lets_start(result->policy, settings, result->norm_shares[node]);
}
