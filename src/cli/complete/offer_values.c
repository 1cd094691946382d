/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Offers values of options: from the tables of policies, settings, formats and words, or through
 * offer_names.c. The table `values` near the end says which option has which values. */
#include "cli/complete/completion.h"
#include "cli/name_set.h"
#include "cli/option_words.h"
#include "cli/view.h"
#include "conf/conf.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "jobs/job_states.h"
#include "policy/traits.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAME_SIZE 64

/* ---- lists of words ---------------------------------------------------------------------- */

/* Offers each name of a list. */
static void offer_list(const struct completion *completion, struct name_list names)
{
	const char *name;

	for (size_t i = 0; (name = names.at(names.context, i)); i++)
		offer(completion, name, NULL);
}

/* Offers states of jobs for a list, and "all". */
static void offer_states(const struct completion *completion)
{
	struct completion item = completion_of_item(completion);

	for (size_t i = 0; job_state_name(i); i++)
		offer(&item, job_state_name(i), NULL);
	offer(&item, "all", NULL);
}

/* Offers the tools of the command's views. */
static void offer_views(const struct completion *completion)
{
	const struct view *const *view = completion->command->views;

	for (; view && *view; view++)
		offer(completion, (*view)->tool, NULL);
}

/* ---- policies, formats ------------------------------------------------------------------- */

/* Offers policies for a list. */
static void offer_policies(const struct completion *completion)
{
	struct completion item = completion_of_item(completion);

	for (size_t i = 0; i < fathom_policy_count(); i++)
		offer(&item, fathom_policy_name(fathom_policy_at(i)),
		      fathom_policy_summary(fathom_policy_at(i)));
}

/* Returns whether the command has an option. */
static bool has_option(const struct completion *completion, const char *name)
{
	return find_long(completion->options, name, strlen(name));
}

/* Offers formats that are fit for an option. */
static void offer_formats_if(const struct completion *completion,
			     bool (*is_fit)(const struct format *format))
{
	for (size_t i = 0; i < format_count(); i++)
		if (is_fit(format_at(i)))
			offer(completion, format_at(i)->name, format_at(i)->summary);
}

/* Offers formats to write, for --to. */
static void offer_formats_written(const struct completion *completion)
{
	offer_formats_if(completion, format_can_write);
}

/* Offers formats to read. A command without --to reads nothing but a tree as --format. */
static void offer_formats_read(const struct completion *completion)
{
	offer_formats_if(completion, has_option(completion, "to") ? format_can_read
								  : format_has_tree);
}

/* ---- settings ---------------------------------------------------------------------------- */

/* Offers the key of a setting: "half_life=". */
static void offer_key(const struct completion *completion, const struct fathom_setting *setting)
{
	char word[NAME_SIZE];

	snprintf(word, sizeof(word), "%s=", setting->name);
	offer(completion, word, setting->meaning);
}

/* Offers the words that a setting may be: "tie_mode=slurm". Does nothing if the key before the '='
 * of the part is that of another setting, or the setting is a number. */
static void offer_choices(const struct completion *completion, const struct fathom_setting *setting)
{
	size_t length = strcspn(completion->part, "=");
	struct completion value = completion_after(completion, length + 1);
	struct completion item = completion_of_item(&value);
	char key[NAME_SIZE];

	snprintf(key, sizeof(key), "%.*s", (int)length, completion->part);
	if (!fathom_setting_named(setting, key))
		return;
	if (setting == job_settings_at(JOB_FLAGS))
		for (size_t i = 0; job_settings_flag_at(i); i++)
			offer(&item, job_settings_flag_at(i), NULL);
	else if (setting->choices)
		offer_list(&value, name_list_of(setting->choices));
	else if (setting->type == FATHOM_SWITCH)
		offer_list(&value, name_list_of((const char *const[]){ "yes", "no", NULL }));
}

/* offer_key(), or offer_choices() once the part has a '='. */
typedef void offer_setting(const struct completion *completion,
			   const struct fathom_setting *setting);

/* Returns whether the line's --policy names the policy, or the line has no --policy. */
static bool is_evaluated(const struct completion *completion, const struct fathom_policy *policy)
{
	const char *list;
	bool is_any = true;

	for (int word = 1; (list = completion_value(completion, "policy", &word)); is_any = false)
		if (name_set_has(name_set_of(list), fathom_policy_name(policy)))
			return true;
	return is_any;
}

/* Returns whether one of the first `count` policies is evaluated and has a setting of this name. */
static bool is_setting(const struct completion *completion, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (is_evaluated(completion, fathom_policy_at(i)) &&
		    policy_setting_named(fathom_policy_at(i), name) != POLICY_HAS_NONE)
			return true;
	return false;
}

/* Calls offer_one() with each setting of the policies that are evaluated; once, if several policies
 * have one of this name. */
static void offer_policy_settings(const struct completion *completion, offer_setting *offer_one)
{
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		for (size_t j = 0; j < fathom_policy_setting_count(policy); j++) {
			const struct fathom_setting *setting = fathom_policy_setting(policy, j);

			if (is_evaluated(completion, policy) &&
			    !is_setting(completion, i, setting->name))
				offer_one(completion, setting);
		}
	}
}

/* Offers the KEY=VALUE of --set. Which settings a command has shows in its options: with --policy
 * those of policies, with --formula those of jobs, too. */
static void offer_settings(const struct completion *completion)
{
	offer_setting *offer_one = strchr(completion->part, '=') ? offer_choices : offer_key;
	const struct fathom_setting *setting;

	offer_one(completion, conf_setting(CONF_HALF_LIFE));
	if (has_option(completion, "policy"))
		offer_policy_settings(completion, offer_one);
	if (!has_option(completion, "formula"))
		return;
	offer_one(completion, conf_setting(CONF_FORMULA_SCALE));
	for (size_t i = 0; (setting = job_settings_at(i)); i++)
		offer_one(completion, setting);
}

/* Offers who may be explained: users, or accounts if no user matches; and jobs: the caller's own,
 * or any if the part begins with a digit. */
static void offer_who(const struct completion *completion)
{
	offer_names(completion, "User");
	if (!*completion->has_offered)
		offer_names(completion, "Account");
	if (isdigit((unsigned char)*completion->part))
		offer_jobs(completion);
	else
		offer_own_jobs(completion);
}

/* Offers the WHO= of WHO=SECONDS. */
static void offer_changed(const struct completion *completion)
{
	struct completion who = *completion;

	who.behind = "=";
	offer_owners(&who);
}

/* ---- the table --------------------------------------------------------------------------- */

/* What the value of an option may be. All rows that match an option count, so that ENTITY is
 * offered accounts and users. */
static const struct {
	/* The names of the option, without "--", and of its argument in the help; NULL: any. */
	const char *option, *argument;
	void (*offer)(const struct completion *completion);	/* NULL: see `column` */
	const char *column;	/* whose names are offered, by offer_names() */
} values[] = {
	{ "account", NULL, .column = "Account" }, { "accounts", NULL, .column = "Account" },
	{ NULL, "WHO=SECONDS", .offer = offer_changed },
	{ NULL, "WHO=FACTOR", .offer = offer_changed },
	{ "cluster", NULL, .offer = offer_clusters }, { "clusters", NULL, .offer = offer_clusters },
	{ "format", "NAME", .offer = offer_formats_read },
	{ "to", NULL, .offer = offer_formats_written },
	{ "job", NULL, .offer = offer_jobs }, { "jobs", NULL, .offer = offer_jobs },
	{ "jobids", NULL, .offer = offer_jobs }, { "queue", NULL, .column = "Partition" },
	{ "partition", NULL, .column = "Partition" }, { "policy", NULL, .offer = offer_policies },
	{ "scope", NULL, .offer = offer_scopes }, { "set", NULL, .offer = offer_settings },
	{ "state", NULL, .offer = offer_states }, { "states", NULL, .offer = offer_states },
	{ "user", NULL, .column = "User" }, { "users", NULL, .column = "User" },
	{ "view", NULL, .offer = offer_views }, { NULL, "COLUMNS", .offer = offer_columns },
	/* mostly operands */
	{ NULL, "BANK", .column = "Account" }, { NULL, "ENTITY", .column = "Account" },
	{ NULL, "ENTITY", .column = "User" }, { NO_OPTION, "USER", .column = "User" },
	{ NULL, "GROUP", .offer = offer_places }, { NULL, "HOST-PARTITION", .offer = offer_places },
	{ NO_OPTION, "JOB", .offer = offer_jobs },
	{ NO_OPTION, "QUEUE", .offer = offer_places }, { NULL, "WHO", .offer = offer_who },
	{ NULL, "OWNER", .offer = offer_owners },
};

/* Returns whether a name of the table, NULL for any, is that of an option or argument. */
static bool matches(const char *of_table, const char *name)
{
	return !of_table || !strcmp(of_table, name);
}

int offer_value(const struct completion *completion, const struct option_row *row)
{
	struct completion item = completion_of_item(completion);

	if (!strcmp(row->argument, "FILE") || !strcmp(row->argument, "SOURCE") ||
	    !strcmp(row->argument, "PATH"))
		return EXIT_NO;
	if (row->set == option_word || row->set == option_color)
		offer_list(completion, option_words((enum option_word_list)row->choice));
	else if (row->set == option_several_words)
		offer_list(&item, option_words((enum option_word_list)row->choice));
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (matches(values[i].option, row->name) &&
		    matches(values[i].argument, row->argument)) {
			if (values[i].column)
				offer_names(completion, values[i].column);
			else
				values[i].offer(completion);
		}
	return EXIT_DONE;
}
