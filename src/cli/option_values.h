/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of options that several commands have, their help, and their errors. */
#pragma once

#include "cli/options.h"
#include "conf/conf.h"
#include "fathom.h"
#include "format/accounting/accounting.h"
#include "format/format.h"

#define STANDARD_POLICY "fair-tree"	/* of files that name none: Slurm's own default */
#define MOST_FILES 16
#define MOST_SETS 128
#define MOST_KEY 64	/* bytes of a key; a longer one is cut */

/* KEY=VALUE of --set. */
struct set {
	const char *text;	/* as given */
	const char *value;	/* the part of it behind the '=' */
	char key[MOST_KEY];
};

/* All --set, in their order. */
struct sets {
	const struct set *set[MOST_SETS];
	size_t count;
	/* The values, in seconds, of those that are half_life=DURATION. It is no setting of a
	 * policy, but counts where usage is added up from jobs. */
	double half_life[MOST_SETS];
	size_t half_life_count;
};

/* The files of --from, and the format of the tree. */
struct input_names {
	const char *from[MOST_FILES];
	size_t from_count;
	const struct format *format;	/* NULL: it is recognised */
};

/* The policies of --policy. */
struct policy_list {
	const struct fathom_policy *policy[FATHOM_MAX_POLICIES];
	size_t count;
};

/* Store a value in a member of the type named here, and refuse a wrong one. A list is separated by
 * commas; a second list is added to the first. */
option_setter option_from;	/* struct input_names; the row's choice, if not 0: how many files at
				 * the most */
option_setter option_policies;	/* struct policy_list */
option_setter option_format;	/* const struct format *, of a tree */
option_setter option_set;	/* struct sets */
option_setter option_names;	/* char *, a list */
option_setter option_users;	/* char *, a list; a number is a uid, as in Slurm's commands */

/* Splits KEY=VALUE, a text that must live as long. Refuses a text without '='. */
const struct set *set_of(const char *text);
/* Returns whether its key is the half-life, by fathom's or slurm.conf's name. */
bool set_is_half_life(const struct set *set);
/* Returns the value of a half-life in seconds; 0: no decay. Refuses what is not a duration. */
double set_seconds(const struct set *set);
/* Returns fathom's name of a setting that slurm.conf calls `key`; for other keys, the key. */
const char *setting_own_name(const char *key);
/* Returns the name of the setting of one of the policies that is most like the key, fathom's or
 * slurm.conf's; NULL: none is like it. */
const char *setting_similar(const struct policy_list *policies, const char *key);
/* Returns the name that is most like the key among the settings of jobs: those of
 * job_settings_at(), and FormulaScale. NULL: none is like it. */
const char *setting_similar_of_jobs(const char *key);
/* Changes a setting as fathom_settings_set() does, but also knows slurm.conf's names, names a
 * similar setting in an error, and checks that a formula compiles. -1: *error says what is
 * wrong. */
int settings_set(const struct fathom_policy *policy, struct fathom_settings *settings,
		 const struct set *set, struct fathom_error *error);

/* Returns the caller's name; NULL: the user id has none on this host. */
const char *caller_name(void);
/* Sets *users, a list as for --user, to a copy of the caller's name, as sshare does. If the user id
 * has no name on this host, *users stays NULL, so that all are shown, and a remark says
 * so. */
void caller_choose(char **users);

/* Print help of settings, policies and formats on stdout. */
void help_setting(const struct fathom_setting *setting);
void help_policies(void);
void help_formats(bool of_jobs);

/* Returns how to add up jobs: with each half-life of --set, MOST_HALF_LIVES at most, by default
 * with Slurm's. states: see struct accounting_rules. */
struct accounting_rules accounting_rules_of(const struct sets *sets, uint64_t states);
/* Returns how to add up jobs under a policy with settings of --set, which must live as long.
 * policy: NULL: that of the site. */
struct system_rule system_rule_of(const struct fathom_policy *policy, const struct sets *sets);

/* End the command with an error. */

/* --set half_life: there are no jobs to add up. */
_Noreturn void refuse_half_life(void);
/* --shadow: the file `name`, or if is_live the cluster, has no shadow policy. */
_Noreturn void refuse_without_shadow(const char *name, bool is_live);
/* --shadow: the file `fathom_conf` has another configuration than the one that is recorded. */
_Noreturn void refuse_shadow_beside(const char *fathom_conf);
/* --format: the value is one for --output, as for sshare's --format. */
_Noreturn void refuse_columns(const char *value);

/* Opens a file whose reading is shown on a terminal if it lasts. */
void open_input(struct document *input, const char *name);
