/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies compute fair-share factors from a tree. There are Slurm's classic,
 * depth-oblivious and fair-tree, and pbs, lsf and flux. Each has settings.
 *
 *	policy = fathom_policy_find ("fair-tree");
 *	settings = fathom_settings_create (policy, &error);
 *	result = fathom_result_create (policy, tree, &error);
 *	fathom_evaluate (result, tree, settings);
 *	factor = fathom_result_factor (result)[node];
 */
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

/* ---- policies ---------------------------------------------------------------- */

struct fathom_policy;

/* Returns how many policies there are. */
size_t fathom_policy_count(void);
/* Returns a policy; index: below fathom_policy_count(). */
const struct fathom_policy *fathom_policy_at(size_t index);
/* Returns the policy of this name or alias. name: in upper or lower case. NULL: no
 * policy has this name. */
const struct fathom_policy *fathom_policy_find(const char *name);
/* Returns the policy's name, such as "fair-tree". */
const char *fathom_policy_name(const struct fathom_policy *policy);
/* Returns a description of the policy in one line. */
const char *fathom_policy_summary(const struct fathom_policy *policy);
/* Returns how the policy treats ties if users cannot choose it. NULL: the policy has
 * a setting tie_mode, or has no ties. */
const char *fathom_policy_tie_mode(const struct fathom_policy *policy);

/* How the priority of jobs is computed, unless by a formula. */
enum fathom_priority_rule {
	FATHOM_WEIGHTED_SUM,	/* fathom/priority.h */
	FATHOM_FLUX_PRIORITY	/* fathom/flux.h */
};

/* Returns the rule that belongs to the policy. */
enum fathom_priority_rule fathom_policy_priority_rule(const struct fathom_policy *policy);

/* ---- settings ------------------------------------------------------------------ */

/* The type of a setting. The value of every type is a double, as the comments say. */
enum fathom_setting_type {
	FATHOM_NUMBER,		/* the number */
	FATHOM_CHOICE,		/* the index of the chosen name in `choices` */
	FATHOM_SWITCH,		/* 0: no, 1: yes */
	FATHOM_DURATION,	/* seconds */
	FATHOM_INTEGER,		/* the number */
	FATHOM_FORMULA,		/* 0; the settings keep the text separately */
	FATHOM_TEXT		/* 0; the settings keep the text separately */
};

/* The description of a setting; constant. */
struct fathom_setting {
	const char *name;	/* in snake_case; fathom.conf writes it in CamelCase */
	enum fathom_setting_type type;
	/* The range of a number, integer or duration. Its ends are allowed unless open.
	 * For a text, high is the greatest length in bytes. */
	double low, high;
	bool low_open, high_open;	/* the end itself is not allowed */
	double standard;	/* the default value */
	const char *standard_formula;	/* the default text of a formula, else NULL */
	const char *const *choices;	/* the names of a choice's values, up to a NULL */
	const char *unit;	/* such as "seconds"; "": no unit */
	const char *meaning;	/* in one line */
};

/* Returns how many settings a policy has. */
size_t fathom_policy_setting_count(const struct fathom_policy *policy);
/* Returns the description of a setting; index: below fathom_policy_setting_count(). */
const struct fathom_setting *fathom_policy_setting(const struct fathom_policy *policy,
						   size_t index);
/* Returns whether `name` is a name of the setting. Case is ignored, and both
 * dampening_factor and DampeningFactor are accepted. */
bool fathom_setting_named(const struct fathom_setting *setting, const char *name);
/* Writes the setting's name in CamelCase to `text`, cut to `size` bytes with its NUL;
 * returns `text`. */
char *fathom_setting_camel_case(const struct fathom_setting *setting, char *text, size_t size);
/* Reads a value such as "2.5", "slurm", "yes" or "2h" into *out, by the type of the
 * setting. A formula or text is only checked. -1: EINVAL, *out is undefined; the
 * error's text says what would be right. */
int fathom_setting_parse(const struct fathom_setting *setting, const char *value, double *out,
			 struct fathom_error *error);

/* The values of all settings of one policy. */
struct fathom_settings;

/* Makes settings at their default values. NULL: ENOMEM. */
struct fathom_settings *fathom_settings_create(const struct fathom_policy *policy,
					       struct fathom_error *error);
/* Copies settings. NULL: ENOMEM. */
struct fathom_settings *fathom_settings_copy(const struct fathom_settings *settings,
					     struct fathom_error *error);
/* Frees settings; NULL is allowed. */
void fathom_settings_destroy(struct fathom_settings *settings);
/* Sets a setting by its name, see fathom_setting_named(), to a value, see
 * fathom_setting_parse(). policy: the policy that the settings were created for. -1:
 * ENOENT for an unknown name, EINVAL for a wrong value; nothing has changed, and the
 * error's text says what would be right. */
int fathom_settings_set(const struct fathom_policy *policy, struct fathom_settings *settings,
			const char *name, const char *value, struct fathom_error *error);
/* Returns the value of a setting; index: below fathom_policy_setting_count(). */
double fathom_settings_value(const struct fathom_settings *settings, size_t index);
/* Returns the text of the policy's setting of type FATHOM_FORMULA; "" if it has no
 * such setting. The text is valid until the setting changes. */
const char *fathom_settings_formula(const struct fathom_settings *settings);

/* ---- evaluation ------------------------------------------------------------------ */

enum fathom_column_type {
	FATHOM_COLUMN_NUMBER,
	FATHOM_COLUMN_COUNT	/* a whole number, 1 or more */
};

/* The description of a policy's own column, which it fills beside the columns that
 * all policies have; constant. */
struct fathom_column {
	const char *name;	/* in snake_case, the key in JSON */
	const char *heading;	/* in a table */
	enum fathom_column_type type;
	const char *unit;	/* "": no unit */
	const char *meaning;	/* in one line */
};

/* Returns how many columns of its own a policy has. */
size_t fathom_policy_column_count(const struct fathom_policy *policy);
/* Returns the description of a column; index: below fathom_policy_column_count(). */
const struct fathom_column *fathom_policy_column(const struct fathom_policy *policy, size_t index);
/* Returns the name of the first policy that has a column of this name. NULL: no policy
 * has. */
const char *fathom_policy_with_column(const char *column);

/*
 * The values that a policy computes for a tree. Each column is an array of
 * fathom_tree_count() values, by node, NAN where a node has no such value. A result
 * is created once and evaluated whenever usage or shares have changed, with the
 * tree that it was created for or with a copy of it.
 */
struct fathom_result;

/* Makes a result without values; fathom_evaluate() computes them. NULL: ENOMEM. */
struct fathom_result *fathom_result_create(const struct fathom_policy *policy,
					   const struct fathom_tree *tree,
					   struct fathom_error *error);
/* Frees a result; NULL is allowed. */
void fathom_result_destroy(struct fathom_result *result);

/* Computes all columns for a settled tree. Takes time linear in the number of nodes,
 * except that policies which rank also sort siblings. Allocates nothing. */
void fathom_evaluate(struct fathom_result *result, const struct fathom_tree *tree,
		     const struct fathom_settings *settings);

/* The columns. The columns of usage and of normalised shares may be the tree's own
 * arrays. A column is valid as long as result and tree exist and neither changes. */

/* Returns the column of usage, billing TRES seconds, with the usage of all nodes
 * below. It is counted by the policy's rules: PBS adds the usage that entities start
 * with. */
const double *fathom_result_usage(const struct fathom_result *result);
/* Returns the column of normalised shares, 0 to 1. They are counted by the policy's
 * rules: PBS adds shares for entities that are not listed. */
const double *fathom_result_norm_shares(const struct fathom_result *result);
/* Returns the column of normalised usage, 0 to 1: usage over the root's usage; 0 if
 * the root has none. */
const double *fathom_result_norm_usage(const struct fathom_result *result);
/* Returns the column of effective usage, 0 to 1: normalised usage with a part of the
 * siblings' usage, by the policy's rule. Policy lsf does not use it and sets 0, for the
 * root 1. */
const double *fathom_result_effective_usage(const struct fathom_result *result);
/* Returns the column of fair-share factors, 0 to 1, for fathom_job_factors(). Policies
 * that rank (fair-tree, flux, lsf) set NAN for accounts. */
const double *fathom_result_factor(const struct fathom_result *result);
/* Returns a column of the policy's own; index: below fathom_policy_column_count(). */
const double *fathom_result_column(const struct fathom_result *result, size_t index);

/* Returns whether the policy lets jobs of the node start. lsf, and pbs with the
 * setting fairshare_enforce_no_shares, start no jobs of nodes without shares. */
bool fathom_result_may_run(const struct fathom_result *result,
			   const struct fathom_settings *settings, size_t node);

/* Ranks values, such as the factors of users: puts into rank[] 1 plus the number of
 * greater values for each of `count` values, so that equal values share a rank and the
 * ranks after it are skipped: 1, 2, 2, 4. Values are equal if they differ by at most
 * 1e-12 of the greater one, as in the documented ties of fair-tree. NAN has no rank and
 * does not count: its rank is NAN. -1: ENOMEM. */
int fathom_ranks(const double *value, size_t count, double *rank, struct fathom_error *error);

/* Compares two nodes as PBS's scheduler does; the result must be of policy pbs.
 * Returns less than 0 if jobs of `a` go first, more than 0 if jobs of `b` go first, 0
 * if they are equal. On the paths from the root to `a` and `b`, the first pair of
 * nodes decides that differ, by more than rounding, in usage over fairshare_perc; if
 * there is none, the shorter path goes first. With order=path, factors are places in
 * this order. Source: OpenPBS, its scheduler. */
int fathom_path_compare(const struct fathom_result *result, const struct fathom_tree *tree,
			size_t a, size_t b);

/* ---- sums of a policy ----------------------------------------------------------- */

/* Returns whether the policy keeps sums of its own (lsf, pbs, flux). The others use
 * billing TRES seconds, which are FATHOM_SUM_USAGE. */
bool fathom_policy_keeps_sums(const struct fathom_policy *policy);
/* Returns whether one of the policy's sums is its usage (pbs, flux). It is then set
 * as usage of the tree, not as a resource. */
bool fathom_policy_has_own_usage(const struct fathom_policy *policy);
/* Returns the half-life of the policy's sums in seconds; 0: no decay. site: the
 * site's half-life of usage, which policies without a half-life of their own use. */
double fathom_policy_half_life(const struct fathom_policy *policy,
			       const struct fathom_settings *settings, double site);
/* Adds a stretch to an association's sums, as it counts at time `seen`, which must not
 * be before the stretch's end. A run counts the same however many stretches it is
 * divided into. half_life: the policy's, see fathom_policy_half_life(). */
void fathom_policy_accrue(const struct fathom_policy *policy,
			  const struct fathom_settings *settings, double half_life,
			  const struct fathom_stretch *stretch, double seen,
			  struct fathom_sums *sums);
/* Adds what a run holds to *holdings, if the policy counts that (lsf). stretch: the run
 * from its start until now. half_life: the policy's, see fathom_policy_half_life(). */
void fathom_policy_hold(const struct fathom_policy *policy, const struct fathom_settings *settings,
			double half_life, const struct fathom_stretch *stretch,
			struct fathom_holdings *holdings);
/* Sets a node's own usage or resources to an association's sums and holdings. Call
 * fathom_tree_settle() before the next fathom_evaluate(). -1: ENOMEM. */
int fathom_policy_set_sums(const struct fathom_policy *policy, struct fathom_tree *tree,
			   size_t node, const struct fathom_sums *sums,
			   const struct fathom_holdings *holdings, struct fathom_error *error);

#ifdef __cplusplus
}
#endif
#endif
