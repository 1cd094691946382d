/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For checks: what they ask, and how they report. */
#pragma once

#include "conf/conf_policy.h"
#include "core/suggestion.h"
#include "lint/lint.h"

/* General keys of slurm.conf that checks ask for. */
enum lint_key {
	KEY_WEIGHT_AGE, KEY_WEIGHT_ASSOC, KEY_WEIGHT_FAIRSHARE, KEY_WEIGHT_JOB_SIZE,
	KEY_WEIGHT_PARTITION, KEY_WEIGHT_QOS, KEY_WEIGHT_TRES,
	KEY_HALF_LIFE, KEY_CALC_PERIOD, KEY_RESET_PERIOD, KEY_MAX_AGE, KEY_FAVOR_SMALL,
	KEY_DAMPENING, KEY_FLAGS, KEY_TYPE, KEY_STORAGE_TYPE, KEY_STORAGE_TRES, KEY_ENFORCE,
	KEY_GRES_TYPES, KEY_PREEMPT_TYPE, KEY_PRIVATE_DATA, KEY_SITE_PLUGIN, KEY_SITE_PARAMETERS,
	KEY_COUNT
};

#define KEY_FIRST_WEIGHT KEY_WEIGHT_AGE
#define KEY_LAST_WEIGHT KEY_WEIGHT_QOS	/* of those that are a number */

/* A general key in slurm.conf. */
struct lint_value {
	const struct slurm_pair *pair;	/* NULL: not given */
	double number;		/* of a weight, a number, or a time in seconds; the default if it is
				 * not given; NAN: not known, or wrong */
	bool is_wrong;
	struct fathom_error error;	/* if it is wrong */
};

struct lint {
	const struct lint_site *site;
	const struct lint_row *row;	/* the check that is made */
	struct lint_value value[KEY_COUNT];
	struct lint_findings *findings;
};

/* The checks of each file, up to a row without a code. */
extern const struct lint_row lint_file_rows[], lint_flag_rows[], lint_weight_rows[],
	lint_decay_rows[], lint_tres_rows[], lint_tree_rows[], lint_fathom_rows[],
	lint_global_rows[], lint_partition_rows[];

/* Reads the values of the keys. */
void lint_read_values(struct lint *lint);
const char *lint_key_name(enum lint_key key);
/* Reads a whole number from 0 to 65535. -1: EINVAL. */
int lint_parse_short(const char *text, double *number, struct fathom_error *error);

/* Returns whether two values of a key mean the same, such as 7-0 and 10080 of a time. */
bool lint_means_same(const char *key, const char *a, const char *b);

/* ---- questions ---------------------------------------------------------------------- */

/* Returns the pair of a key, unless its value is unknown; NULL: not given or unknown. */
const struct slurm_pair *lint_pair(const struct lint *lint, enum lint_key key);
/* Returns the number of a key, see struct lint_value. */
double lint_number(const struct lint *lint, enum lint_key key);
/* Returns the half-life, or the time between passes, in force; NAN: not known. */
double lint_half_life(const struct lint *lint);
double lint_calc_period(const struct lint *lint);
/* Returns a time such as "7 minutes" or "3 days". */
const char *lint_time_text(double seconds);
/* Returns whether the weight is known to be 0, or above 0. */
bool lint_weight_is_zero(const struct lint *lint, enum lint_key key);
bool lint_weight_is_given(const struct lint *lint, enum lint_key key);
/* Returns whether PriorityFlags have a word, as slurmctld looks for it: anywhere in the value. */
bool lint_has_flag(const struct lint *lint, const char *flag);
/* Copies the next word of a comma-separated list, and moves *at behind it. False: there is none. */
bool lint_next_word(const char **at, char *word, size_t size);
/* Returns whether a comma-separated list has a word, in upper or lower case. */
bool lint_list_has(const char *list, const char *word);
/* Returns whether PriorityType is known to be this plugin, such as "fathom". */
bool lint_type_is(const struct lint *lint, const char *plugin);
/* Returns whether priorities are made of factors: PriorityType is known, and not priority/basic. */
bool lint_uses_factors(const struct lint *lint);
/* Returns whether slurmdbd is known to be used, or known not to be. */
bool lint_lacks_database(const struct lint *lint);
/* Returns what slurm.conf says for fathom.conf. */
struct conf_slurm lint_conf_slurm(const struct lint *lint);
/* Returns the policy in force; NULL if slurm.conf and fathom.conf do not tell. */
const struct fathom_policy *lint_policy(const struct lint *lint);

#define LINT_MOST_TRES 256
#define LINT_TRES_SIZE 128

/* Lists the TRES that are known to be tracked, spelled as formulas do. Returns their number; list
 * has LINT_MOST_TRES elements. */
size_t lint_list_tres(const struct lint *lint, char (*list)[LINT_TRES_SIZE]);

/* Returns whether priorities are the weighted sum of Slurm: no Formula takes its place, and no
 * policy with a rule of its own. */
bool lint_has_weighted_sum(const struct lint *lint);

/* ---- partitions --------------------------------------------------------------------- */

/* Returns the index of the next line of a partition after line `at`, without PartitionName=DEFAULT,
 * for slurm_conf_on_line(); SLURM_CONF_NONE after the last. */
size_t lint_next_partition(const struct lint *lint, size_t at);
/* Returns a key of a partition, from its line or else from the PartitionName=DEFAULT before it;
 * NULL: not given. */
const struct slurm_pair *lint_partition_key(const struct lint *lint, size_t partition,
					    const char *key);
/* Returns PriorityJobFactor or PriorityTier of a partition, 1 if it is not given; NAN: not
 * known. */
double lint_partition_number(const struct lint *lint, size_t partition, const char *key);

/* ---- reports ------------------------------------------------------------------------ */

/* Reports a finding of the check at a place of a file; key: NULL: about the whole file. */
void lint_in_file(struct lint *lint, const char *file, unsigned line, const char *key,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));
/* A list of names such as "a, b, c and 4 more". */
struct some_names {
	char text[256];
	size_t count;
};

void some_names_add(struct some_names *names, const char *name);
const char *some_names_text(struct some_names *names);

/* Report at a pair of slurm.conf; in fathom.conf; about the tree. */
#define lint_at(lint, pair, ...)                                                                  \
	lint_in_file(lint, (pair)->file, (pair)->line, (pair)->key, __VA_ARGS__)
#define lint_in_fathom(lint, line, key, ...)                                                      \
	lint_in_file(lint, (lint)->site->fathom_file, line, key, __VA_ARGS__)
#define lint_in_tree(lint, key, ...)                                                              \
	lint_in_file(lint, (lint)->site->tree_file, 0, key, __VA_ARGS__)
/* Reports about a general key of slurm.conf, at its line if it is given. */
void lint_in_slurm(struct lint *lint, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Replaces the last finding's fix, which is that of the row. */
void lint_fix(struct lint *lint, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Like lint_fix(), with "write NAME", if there is a suggestion. */
void lint_suggest(struct lint *lint, const struct suggestion *suggestion);
