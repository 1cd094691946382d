/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several sub-commands take and tell alike. */
#ifndef CLI_OPTION_VALUES_H
#define CLI_OPTION_VALUES_H

#include "fathom.h"
#include "format/format.h"

#define DONE (-1)	/* from an option: all is said, status 0 */
#define STANDARD_POLICY "fair-tree"	/* of files: Slurm's own default */
#define MOST_SETS 32
#define MOST_KEY 64	/* characters of a set's key, cut off behind */

/* KEY=VALUE, as --set was given them. */
struct sets {
	const char *set[MOST_SETS];
	size_t count;
};

/* Each returns EXIT_WRONG after a complaint, or 0. */
int take_policy_name(const char *value, const struct fathom_policy **policy);
/* names_columns: said of a value that is meant for -o. */
int take_format_name(const char *value, bool names_columns, const struct format **format);
int sets_add(struct sets *sets, const char *value);
/* Adds to a comma-separated list as far as options before it went. */
int list_append(char **list, const char *option, const char *names);
/* Users; a number is a user's id, as for Slurm's commands. */
int list_append_users(char **list, const char *option, const char *names);

/* The key of the set, in `key`; returns its value. */
const char *set_split(const char *set, char *key, size_t size);

/* fathom_settings_set(); what is a formula must be one that can be evaluated. */
int settings_set(const struct fathom_policy *policy, struct fathom_settings *settings,
		 const char *key, const char *value, struct fathom_error *error);

/* Is `name`, in any case, in a comma-separated list? */
bool list_has(const char *list, const char *name);

/* What --set takes, and the formats of --from, on stdout. */
void help_setting(const struct fathom_setting *setting);
void help_policies(void);
void help_formats(bool of_jobs);

/* --shadow, where `name`, a file or cluster, has no shadow policy. */
int complain_of_no_shadow(const char *name, bool is_cluster);
int complain_of_input(const struct input *input, const struct fathom_error *error);

#endif
