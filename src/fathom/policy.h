/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies: classic, depth-oblivious and fair-tree of Slurm, pbs, lsf, flux;
 * their settings, and what they make of a tree.
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
/* Returns one of them; index: below fathom_policy_count(). */
const struct fathom_policy *fathom_policy_at(size_t index);
/* Returns the policy of this name or alias, in lower case; NULL: there is none. */
const struct fathom_policy *fathom_policy_find(const char *name);
/* Returns its name, such as "fair-tree". */
const char *fathom_policy_name(const struct fathom_policy *policy);
/* Returns what it does, in a line. */
const char *fathom_policy_summary(const struct fathom_policy *policy);
/* Returns how a policy treats ties if it has no setting tie_mode; NULL: it has
 * that setting, or knows no ties. */
const char *fathom_policy_tie_mode(const struct fathom_policy *policy);

/* How jobs get their priority unless a formula says it. */
enum fathom_priority_rule {
	FATHOM_WEIGHTED_SUM,	/* fathom/priority.h */
	FATHOM_FLUX_PRIORITY	/* fathom/flux.h */
};

/* Returns the rule that belongs to the policy. */
enum fathom_priority_rule fathom_policy_priority_rule(const struct fathom_policy *policy);

/* ---- settings ------------------------------------------------------------------ */

/* A setting's value is a double; what it means is in brackets. */
enum fathom_setting_type {
	FATHOM_NUMBER,		/* itself */
	FATHOM_CHOICE,		/* index of one of `choices` */
	FATHOM_SWITCH,		/* 0: no, 1: yes */
	FATHOM_DURATION,	/* seconds */
	FATHOM_INTEGER,		/* itself */
	FATHOM_FORMULA,		/* 0; the text is kept beside */
	FATHOM_TEXT		/* 0; likewise */
};

/* What is known of a setting; constant. */
struct fathom_setting {
	const char *name;	/* snake_case; fathom.conf writes CamelCase */
	enum fathom_setting_type type;
	/* of a number, integer or duration: the range, ends included unless open;
	 * of a text: high is its greatest length in bytes */
	double low, high;
	bool low_open, high_open;
	double standard;	/* the default value */
	const char *standard_formula;	/* that of a formula, else NULL */
	const char *const *choices;	/* of a choice, up to a NULL */
	const char *unit;	/* such as "seconds"; "": it has none */
	const char *meaning;	/* in a line */
};

/* Returns how many settings a policy has. */
size_t fathom_policy_setting_count(const struct fathom_policy *policy);
/* Returns one of them; index: below fathom_policy_setting_count(). */
const struct fathom_setting *fathom_policy_setting(const struct fathom_policy *policy, size_t index);
/* Returns whether `name` means the setting: dampening_factor, DAMPENING_FACTOR
 * and DampeningFactor do, and case is ignored. */
bool fathom_setting_named(const struct fathom_setting *setting, const char *name);
/* Writes the name as fathom.conf has it, cut to `size` bytes with the NUL;
 * returns `text`. */
char *fathom_setting_camel_case(const struct fathom_setting *setting, char *text, size_t size);
/* Reads a value such as "2.5", "slurm", "yes" or "2h" into *out, as
 * its type says. A formula or text is checked only. -1: EINVAL, *out is
 * undefined; the text says what would be right. */
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
/* Sets one by its name, see fathom_setting_named(), and its value, see
 * fathom_setting_parse(). policy: the one that the settings were made for. -1:
 * ENOENT for an unknown name, EINVAL for a wrong value; nothing has changed, and
 * the text says what would be right. */
int fathom_settings_set(const struct fathom_policy *policy, struct fathom_settings *settings,
			const char *name, const char *value, struct fathom_error *error);
/* Returns a value; index: below fathom_policy_setting_count(). */
double fathom_settings_value(const struct fathom_settings *settings, size_t index);
/* Returns the text of the setting that is a formula, until it is set anew; "":
 * the policy has none. */
const char *fathom_settings_formula(const struct fathom_settings *settings);

/* ---- evaluation ------------------------------------------------------------------ */

enum fathom_column_type {
	FATHOM_COLUMN_NUMBER,
	FATHOM_COLUMN_COUNT	/* a whole number from 1 */
};

/* A column that a policy fills beside those that all have; constant. */
struct fathom_column {
	const char *name;	/* snake_case, the key in JSON */
	const char *heading;	/* of a table */
	enum fathom_column_type type;
	const char *unit;	/* "": it has none */
	const char *meaning;	/* in a line */
};

/* Returns how many columns of its own a policy has. */
size_t fathom_policy_column_count(const struct fathom_policy *policy);
/* Returns one of them; index: below fathom_policy_column_count(). */
const struct fathom_column *fathom_policy_column(const struct fathom_policy *policy, size_t index);
/* Returns the name of the first policy that has a column of this name, or NULL. */
const char *fathom_policy_with_column(const char *column);

/*
 * What a policy computes for a tree: columns of fathom_tree_count() values, by
 * node, NAN where a node has no such value. It is evaluated as often as usage
 * or shares change, with the tree that it was made for or a copy of that.
 */
struct fathom_result;

/* Makes room for the figures; they mean nothing before fathom_evaluate(). NULL:
 * ENOMEM. */
struct fathom_result *fathom_result_create(const struct fathom_policy *policy,
					   const struct fathom_tree *tree,
					   struct fathom_error *error);
/* Frees a result; NULL is allowed. */
void fathom_result_destroy(struct fathom_result *result);

/* Computes all figures of a settled tree. Takes time linear in the number of
 * nodes (policies that rank also sort siblings) and allocates nothing. */
void fathom_evaluate(struct fathom_result *result, const struct fathom_tree *tree,
		     const struct fathom_settings *settings);

/* The columns. Those of usage and of normalised shares may be the tree's own:
 * they are valid as long as both, and until either changes. */

/* Returns usage with that of children, billing TRES seconds, as the policy
 * counts it: PBS adds what entities start with. */
const double *fathom_result_usage(const struct fathom_result *result);
/* Returns normalised shares, 0 to 1, as the policy counts them: PBS counts those
 * of entities that are not listed. */
const double *fathom_result_norm_shares(const struct fathom_result *result);
/* Returns usage over the root's, 0 to 1; 0 if there is no usage at all. */
const double *fathom_result_norm_usage(const struct fathom_result *result);
/* Returns effective usage, 0 to 1: normalised usage with a part of the
 * siblings', by the policy's rule. lsf has none: 0, and 1 at the root. */
const double *fathom_result_effective_usage(const struct fathom_result *result);
/* Returns the fair-share factor, 0 to 1, which fathom_job_factors() takes. Under
 * policies that rank (fair-tree, flux, lsf) accounts have none. */
const double *fathom_result_factor(const struct fathom_result *result);
/* Returns a column of the policy's own; index: below
 * fathom_policy_column_count(). */
const double *fathom_result_column(const struct fathom_result *result, size_t index);

/* Returns false if the policy starts no jobs of this node because it has no
 * shares: lsf, and pbs with fairshare_enforce_no_shares. */
bool fathom_result_may_run(const struct fathom_result *result,
			   const struct fathom_settings *settings, size_t node);

/* Compares two nodes as PBS's scheduler does; the result is one of policy pbs.
 * Returns less than 0 if jobs of `a` go first, more than 0 if those of `b` do, 0
 * if neither. On the way from the root the first two nodes that differ in usage
 * over fairshare_perc decide. Source: OpenPBS, its scheduler. */
int fathom_path_compare(const struct fathom_result *result, const struct fathom_tree *tree,
			size_t a, size_t b);

/* ---- what a policy sums up over time --------------------------------------------- */

/* Returns whether the policy keeps sums of its own (lsf, pbs, flux). One that
 * does not goes by billing TRES seconds, in FATHOM_SUM_USAGE. */
bool fathom_policy_keeps_sums(const struct fathom_policy *policy);
/* Returns whether one of these sums takes the place of usage, so that it is not
 * among the resources of the tree (pbs, flux). */
bool fathom_policy_has_own_usage(const struct fathom_policy *policy);
/* Returns the half-life of the policy's sums in seconds; 0: they do not decay.
 * site: that of usage in general, for policies that have none of their own. */
double fathom_policy_half_life(const struct fathom_policy *policy,
			       const struct fathom_settings *settings, double site);
/* Adds a stretch to an association's sums, as it counts at time `seen`, which is
 * not before the stretch's end. A run counts the same, in however many stretches
 * it is added. */
void fathom_policy_accrue(const struct fathom_policy *policy,
			  const struct fathom_settings *settings, double half_life,
			  const struct fathom_stretch *stretch, double seen,
			  struct fathom_sums *sums);
/* Adds what a run holds that still runs at the stretch's end, which is now. */
void fathom_policy_hold(const struct fathom_policy *policy, const struct fathom_settings *settings,
			double half_life, const struct fathom_stretch *stretch,
			struct fathom_holdings *holdings);
/* Sets a node's own usage or resources to an association's sums and holdings, so
 * that fathom_evaluate() finds them; settle first. -1: ENOMEM. */
int fathom_policy_set_sums(const struct fathom_policy *policy, struct fathom_tree *tree,
			   size_t node, const struct fathom_sums *sums,
			   const struct fathom_holdings *holdings, struct fathom_error *error);

#ifdef __cplusplus
}
#endif
#endif
