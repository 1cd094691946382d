/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Policies, their settings, and what they make of a tree. */
#ifndef FATHOM_POLICY_H
#define FATHOM_POLICY_H

#include "fathom/error.h"
#include "fathom/tree.h"
#include "fathom/usage.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fathom_setting_type { FATHOM_NUMBER, FATHOM_CHOICE, FATHOM_SWITCH, FATHOM_DURATION,
			   FATHOM_INTEGER, FATHOM_FORMULA, FATHOM_TEXT };

/* One setting; name is the snake_case one, `fathom.conf` writes CamelCase. */
struct fathom_setting {
	const char *name;
	enum fathom_setting_type type;
	double low, high;	/* number, integer, duration: inclusive unless open; text: high, its length */
	bool low_open, high_open;
	double standard;	/* default; choice: index; switch: 0, 1 */
	const char *standard_formula;	/* default of a formula, else NULL */
	const char *const *choices;	/* NULL-terminated */
	const char *unit;	/* "" if it has none */
	const char *meaning;
};

/* Columns beside the common ones that a policy fills, one value a node. */
enum fathom_column_type { FATHOM_COLUMN_NUMBER, FATHOM_COLUMN_COUNT };

struct fathom_column {
	const char *name;	/* JSON key */
	const char *heading;	/* table */
	enum fathom_column_type type;
	const char *unit;
	const char *meaning;
};

struct fathom_policy;

size_t fathom_policy_count(void);
const struct fathom_policy *fathom_policy_at(size_t index);
const struct fathom_policy *fathom_policy_find(const char *name);	/* or an alias; NULL */
const char *fathom_policy_name(const struct fathom_policy *policy);
const char *fathom_policy_summary(const struct fathom_policy *policy);
/* The way in which a policy without a setting tie_mode ties; NULL: it has it, or no ties. */
const char *fathom_policy_tie_mode(const struct fathom_policy *policy);
/* How jobs come to their priority where no formula says so. */
enum fathom_priority_rule { FATHOM_WEIGHTED_SUM, FATHOM_FLUX_PRIORITY };
enum fathom_priority_rule fathom_policy_priority_rule(const struct fathom_policy *policy);
size_t fathom_policy_setting_count(const struct fathom_policy *policy);
const struct fathom_setting *fathom_policy_setting(const struct fathom_policy *policy, size_t index);
size_t fathom_policy_column_count(const struct fathom_policy *policy);
const struct fathom_column *fathom_policy_column(const struct fathom_policy *policy, size_t index);
/* The first policy with a column of this name, or NULL. */
const char *fathom_policy_with_column(const char *column);

/* The values of a policy's settings, in the order of its table. */
struct fathom_settings;

/* All at their defaults. NULL: ENOMEM. */
struct fathom_settings *fathom_settings_create(const struct fathom_policy *policy,
					       struct fathom_error *error);
/* The same values once more. NULL: ENOMEM. */
struct fathom_settings *fathom_settings_copy(const struct fathom_settings *settings,
					     struct fathom_error *error);
void fathom_settings_destroy(struct fathom_settings *settings);

/* index: below fathom_policy_setting_count(). Choice: its index; switch: 0, 1. */
double fathom_settings_value(const struct fathom_settings *settings, size_t index);
/* Of the setting that is a formula; "": the policy has none. */
const char *fathom_settings_formula(const struct fathom_settings *settings);
/* By snake_case or CamelCase name. -1: ENOENT unknown name, EINVAL value;
 * the text says what would be right. */
int fathom_settings_set(const struct fathom_policy *policy, struct fathom_settings *settings,
			const char *name, const char *value, struct fathom_error *error);
/* One text to a setting's value, with the range check; a formula or a text is
 * looked at only, and leaves 0. -1: EINVAL. */
int fathom_setting_parse(const struct fathom_setting *setting, const char *value, double *out,
			 struct fathom_error *error);
/* The setting's name as fathom.conf writes it; returns `text`. */
char *fathom_setting_camel_case(const struct fathom_setting *setting, char *text, size_t size);
bool fathom_setting_named(const struct fathom_setting *setting, const char *name);

/*
 * What one evaluation computes: columns of fathom_tree_count() doubles, NAN
 * where a node has no such value. Made for a policy and a tree, used again
 * for every evaluation until the tree is built anew.
 */
struct fathom_result;

struct fathom_result *fathom_result_create(const struct fathom_policy *policy,
					   const struct fathom_tree *tree,
					   struct fathom_error *error);
void fathom_result_destroy(struct fathom_result *result);

/* Linear in nodes (fair-tree: plus sorting siblings); allocates nothing and
 * cannot fail. The tree must be settled. */
void fathom_evaluate(struct fathom_result *result, const struct fathom_tree *tree,
		     const struct fathom_settings *settings);

/* Children included, as the policy counts it: the tree's, or with what PBS starts at. */
const double *fathom_result_usage(const struct fathom_result *result);
const double *fathom_result_norm_shares(const struct fathom_result *result);
const double *fathom_result_norm_usage(const struct fathom_result *result);
const double *fathom_result_effective_usage(const struct fathom_result *result);
const double *fathom_result_factor(const struct fathom_result *result);	/* 0...1 */
const double *fathom_result_column(const struct fathom_result *result, size_t index);

/* False: the policy never starts jobs of this node, which has no shares. */
bool fathom_result_may_run(const struct fathom_result *result,
			   const struct fathom_settings *settings, size_t node);

/* The order of PBS's scheduler, of a result of policy pbs: below 0 where the
 * jobs of `a` go first, above 0 where those of `b` do. Down both paths from the
 * root, the first two nodes that differ in usage over fairshare_perc decide. */
int fathom_path_compare(const struct fathom_result *result, const struct fathom_tree *tree,
			size_t a, size_t b);

/* ---- what a policy sums up over time ------------------------------------------- */

/* Has the policy sums of its own? One without goes by billing seconds, in
 * FATHOM_SUM_USAGE. */
bool fathom_policy_keeps_sums(const struct fathom_policy *policy);
/* Does one of them stand in the place of usage, so that no resource of the tree has it? */
bool fathom_policy_has_own_usage(const struct fathom_policy *policy);
/* With which they decay, seconds; 0: not at all. `site`: that of usage in general. */
double fathom_policy_half_life(const struct fathom_policy *policy,
			       const struct fathom_settings *settings, double site);
/* Adds a stretch, as seen at `seen`, not before its end. Stretches of one run
 * add up to the same, however it is cut. */
void fathom_policy_accrue(const struct fathom_policy *policy,
			  const struct fathom_settings *settings, double half_life,
			  const struct fathom_stretch *stretch, double seen,
			  struct fathom_sums *sums);
/* Adds what a run holds at its `end`, which is now. */
void fathom_policy_hold(const struct fathom_policy *policy, const struct fathom_settings *settings,
			double half_life, const struct fathom_stretch *stretch,
			struct fathom_holdings *holdings);
/* A node's own, into the tree; settle before the next evaluation. -1: ENOMEM. */
int fathom_policy_set_sums(const struct fathom_policy *policy, struct fathom_tree *tree,
			   size_t node, const struct fathom_sums *sums,
			   const struct fathom_holdings *holdings, struct fathom_error *error);

#ifdef __cplusplus
}
#endif
#endif
