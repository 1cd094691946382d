/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several sub-commands take and tell alike. */
#ifndef CLI_OPTION_VALUES_H
#define CLI_OPTION_VALUES_H

#include "cli/options.h"
#include "fathom.h"
#include "format/format.h"

#define STANDARD_POLICY "fair-tree"	/* of files: Slurm's own default */
#define MOST_SETS 32
#define MOST_KEY 64	/* characters of a set's key, cut off behind */

/* KEY=VALUE, as --set was given them. */
struct sets {
	const char *set[MOST_SETS];
	size_t count;
};

/* By the type of the member. Lists have commas between; a second one adds to the first. */
option_taker option_policy;	/* const struct fathom_policy * */
option_taker option_format;	/* const struct format *, of a tree */
option_taker option_set;	/* struct sets */
option_taker option_names;	/* char *, a list */
option_taker option_users;	/* char *, a list; a number is a user's id, as in Slurm's commands */

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
/* --format, where the value is meant for --output. */
int complain_of_columns(const char *value);
int complain_of_input(const struct input *input, const struct fathom_error *error);

#endif
