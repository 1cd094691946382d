/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For checks: what they can ask about the site, and how they report findings. Times are seconds.
 * Unless something else is said, an answer is false if slurm.conf does not tell, as it is a
 * template or was not read. */
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

/* the weights that are a number: all but PriorityWeightTRES, which comes behind them */
#define KEY_FIRST_WEIGHT KEY_WEIGHT_AGE
#define KEY_LAST_WEIGHT KEY_WEIGHT_QOS

/* A general key in slurm.conf. */
struct lint_value {
	const struct slurm_pair *pair;	/* NULL: not given */
	/* Of keys with a weight, a number or a time: the value; Slurm's default if the key is not
	 * given. NAN: not known, or wrong. */
	double number;
	bool is_wrong;
	struct fathom_error error;	/* if is_wrong: what is wrong */
};

/* The state of lint_run(). */
struct lint {
	const struct lint_site *site;
	const struct lint_row *row;	/* the check that is made now */
	struct lint_value value[KEY_COUNT];
	struct lint_findings *findings;	/* so far */
	struct lint_partitions *partitions;	/* of slurm.conf; NULL: not listed yet */
};

/* The checks of each file; each table ends with a row without a code. */
extern const struct lint_row lint_file_rows[], lint_flag_rows[], lint_weight_rows[],
	lint_decay_rows[], lint_tres_rows[], lint_tree_rows[], lint_fathom_rows[],
	lint_global_rows[], lint_partition_rows[];

/* Sets lint->value from lint->site->slurm, before any check. */
void lint_read_values(struct lint *lint);
/* Returns the name of a key as slurm.conf(5) spells it. */
const char *lint_key_name(enum lint_key key);
/* Reads a whole number from 0 to 65535. -1: EINVAL. */
int lint_parse_short(const char *text, double *number, struct fathom_error *error);

/* Returns whether two values of a key mean the same, as the times 7-0 and 10080 do. Values of keys
 * that are not in enum lint_key are compared as texts. */
bool lint_means_same(const char *key, const char *a, const char *b);

/* ---- questions ---------------------------------------------------------------------- */

/* Returns the pair of a key. NULL: the key is not given, or a template fills in its value. */
const struct slurm_pair *lint_pair(const struct lint *lint, enum lint_key key);
/* Returns whether slurm.conf was read and is known not to have a key. */
bool lint_lacks_key(const struct lint *lint, enum lint_key key);
/* Returns the number of a key, see struct lint_value. */
double lint_number(const struct lint *lint, enum lint_key key);
/* Returns the name of a setting as fathom.conf spells it. */
const char *lint_setting_name(const struct fathom_setting *setting);
/* Returns whether fathom.conf gives a setting, and priority/fathom reads the file. */
bool lint_fathom_gives(const struct lint *lint, enum conf_setting setting);
/* These return the half-life and the time between passes that are in force; NAN: not known. */
double lint_half_life(const struct lint *lint);
double lint_calc_period(const struct lint *lint);
/* Returns a time such as "7 minutes" or "3 days". */
const char *lint_time_text(double seconds);
/* Returns whether a weight is known to be above 0. */
bool lint_weight_is_given(const struct lint *lint, enum lint_key key);
/* Returns whether a NO_NORMAL flag leaves the factor of a weight undivided, so that it may be
 * above 1. */
bool lint_is_raw(const struct lint *lint, enum lint_key weight);
/* Returns whether PriorityFlags has a flag. Like slurmctld, it searches the flag anywhere in the
 * value, so that FAIR_TREE is found in NO_FAIR_TREE. */
bool lint_has_flag(const struct lint *lint, const char *flag);
/* Cuts the next word off a list with commas or blanks, and sets `word` to it. Returns whether there
 * is one. */
bool lint_next_word(const char **list, struct piece *word);
/* Returns the words of a value that is a comma-separated list; NULL ends them. pair: NULL: there
 * are no words. */
const char **lint_words(const struct slurm_pair *pair);
/* Returns whether the words of a value, see lint_words(), have this one, in upper or lower case. */
bool lint_list_has(const struct slurm_pair *pair, const char *word);
/* Returns whether PriorityType is known to be this plugin, such as "fathom". */
bool lint_type_is(const struct lint *lint, const char *plugin);
/* Returns whether priorities are made of factors: PriorityType is known, and not priority/basic. */
bool lint_uses_factors(const struct lint *lint);
/* Returns whether it is known that slurmdbd is not used. */
bool lint_lacks_database(const struct lint *lint);
/* Returns the keys of slurm.conf that src/conf needs; Slurm's defaults if they are not known. */
struct conf_slurm lint_conf_slurm(const struct lint *lint);
/* Returns the policy in force; NULL: slurm.conf and fathom.conf do not tell. */
const struct fathom_policy *lint_policy(const struct lint *lint);
/* Returns whether a policy is computed: in force, as the shadow, or in a scope. */
bool lint_computes(const struct lint *lint, const struct fathom_policy *policy);
/* Returns whether a policy that is computed, see lint_computes(), has a setting of this name. */
bool lint_heeds(const struct lint *lint, const char *setting);

/* A list of names that may follow others, see NEED_ADD(). */
struct formula_names {
	const char **name;
	size_t count;
};

/* Adds the names of the TRES that slurmctld tracks, spelled as in formulas: gres_gpu. If these are
 * not known, the words of the formula that may be such names are added, too. */
void lint_list_tres(const struct lint *lint, const char *formula, struct formula_names *names);
/* Returns whether priorities are Slurm's weighted sum, as far as is known: PriorityType is not
 * priority/basic, no Formula takes its place, and no policy with a rule of its own. */
bool lint_has_weighted_sum(const struct lint *lint);

/* ---- partitions --------------------------------------------------------------------- */

/* Returns the index of the first pair of the next partition's line, for slurm_conf_on_line().
 * at: that of the line before, or SLURM_CONF_NONE for the first. Passes over PartitionName=DEFAULT.
 * SLURM_CONF_NONE: there are no more. */
size_t lint_next_partition(const struct lint *lint, size_t at);
/* Returns PriorityJobFactor or PriorityTier of a partition; 1 if it is not given; NAN: not
 * known. partition: see lint_next_partition(). */
double lint_partition_number(const struct lint *lint, size_t partition, const char *key);

/* ---- reports ------------------------------------------------------------------------ */

/* Reports a finding of the check that is made. file, line, key: as in struct lint_finding; key
 * NULL: it is about no key. The file's name is not copied. */
void lint_in_file(struct lint *lint, const char *file, unsigned line, const char *key,
		  const char *format, ...) __attribute__((format(printf, 5, 6)));
/* A list of names such as "a, b, c and 4 more". Start with all members 0. */
struct some_names {
	char text[256];		/* the first names */
	size_t count;		/* of all names */
};

/* Adds a name. */
void some_names_add(struct some_names *names, const char *name);
/* Returns the list as a text. Call it once, after all names have been added. */
const char *some_names_text(struct some_names *names);

/* These report at a pair of slurm.conf, in fathom.conf, at the line of a general setting there, and
 * about the tree. */
#define lint_at(lint, pair, ...)                                                                  \
	lint_in_file(lint, (pair)->file, (pair)->line, (pair)->key, __VA_ARGS__)
#define lint_in_fathom(lint, line, key, ...)                                                      \
	lint_in_file(lint, (lint)->site->fathom_file, line, key, __VA_ARGS__)
#define lint_at_setting(lint, setting, ...)                                                       \
	lint_in_fathom(lint, (lint)->site->fathom->line[setting],                                 \
		       lint_setting_name(conf_setting(setting)), __VA_ARGS__)
#define lint_in_tree(lint, key, ...)                                                              \
	lint_in_file(lint, (lint)->site->tree_file, 0, key, __VA_ARGS__)
/* Reports at a pair that `what` has no effect, if the factor of the weight counts nothing: the
 * weight is known to be 0, and there is no Formula, which may use the factor without its weight. */
void lint_without_weight(struct lint *lint, const struct slurm_pair *pair, const char *what,
			 enum lint_key weight);
/* Reports about a general key of slurm.conf, at its line if it is given; key NULL: about the
 * file. */
void lint_in_slurm(struct lint *lint, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Replaces the fix of the last finding, which is the row's until then. */
void lint_fix(struct lint *lint, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Replaces the fix of the last finding by "write NAME", if there is a name to suggest. */
void lint_suggest(struct lint *lint, const struct suggestion *suggestion);
