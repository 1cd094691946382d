/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of slurm.conf as a text, and of what the plugins and folders of this host are like. */
#include "lint/lint_checks.h"
#include "core/list_text.h"
#include "lint/slurm_keys.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- the text of slurm.conf --------------------------------------------------------- */

static void report_faults(struct lint *lint, enum slurm_fault_kind kind)
{
	const struct slurm_conf *slurm = lint->site->slurm;

	for (size_t i = 0; i < slurm->fault_count; i++)
		if (slurm->fault[i].kind == kind)
			lint_in_file(lint, slurm->fault[i].file, slurm->fault[i].line, NULL, "%s",
				     slurm->fault[i].text);
}

void lint_slurm_syntax(struct lint *lint)
{
	report_faults(lint, SLURM_SYNTAX);
}

void lint_cut_quote(struct lint *lint)
{
	report_faults(lint, SLURM_CUT_QUOTE);
}

void lint_include_unreadable(struct lint *lint)
{
	report_faults(lint, SLURM_INCLUDE_UNREADABLE);
}

void lint_include_circle(struct lint *lint)
{
	report_faults(lint, SLURM_INCLUDE_CIRCLE);
}

void lint_include_indented(struct lint *lint)
{
	report_faults(lint, SLURM_INCLUDE_INDENTED);
}

void lint_slurm_empty(struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;

	if (!slurm->pair_count && !slurm->fault_count && !slurm->is_open)
		lint_in_slurm(lint, NULL, "the file has no Key=Value");
}

void lint_template(struct lint *lint)
{
	size_t marks = lint->site->slurm->marks;

	if (marks)
		lint_in_slurm(lint, NULL,
			      "the file is a template with %zu marks such as {{ name }}", marks);
}

/* ---- keys --------------------------------------------------------------------------- */

static void report_unknown(struct lint *lint, const struct slurm_pair *pair,
			   const char *const *known)
{
	struct suggestion suggestion = { .word = pair->key, .length = strlen(pair->key) };

	for (size_t i = 0; known[i]; i++)
		suggestion_consider(&suggestion, known[i]);
	lint_at(lint, pair, "%.60s is not a key of slurm.conf%s", pair->key,
		known == slurm_keys ? "" : " on such a line");
	lint_suggest(lint, &suggestion);
}

void lint_unknown_key(struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;

	for (size_t i = 0; i < slurm->pair_count; i++) {
		const struct slurm_pair *pair = &slurm->pair[i];
		const char *const *known = pair->first == i
						   ? slurm_keys
						   : slurm_line_keys(slurm->pair[pair->first].key);

		if (known && !slurm_key_is_in(known, pair->key))
			report_unknown(lint, pair, known);
	}
}

/* In a template, each branch of a condition may have the key. */
void lint_key_twice(struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;

	for (size_t i = 0; i < slurm->pair_count && !slurm->marks; i++) {
		const struct slurm_pair *pair = &slurm->pair[i], *last;

		if (pair->first != i || slurm_key_is_in(slurm_repeated_keys, pair->key))
			continue;
		last = slurm_conf_find(slurm, pair->key);
		if (last != pair)
			lint_at(lint, pair, "%.60s is given again in line %u of %.100s", pair->key,
				last->line, last->file);
	}
}

void lint_value_wrong(struct lint *lint)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const struct lint_value *value = &lint->value[i];

		if (value->is_wrong)
			lint_at(lint, value->pair, "%s: %s", value->pair->key, value->error.text);
	}
}

/* ---- plugins ------------------------------------------------------------------------ */

static const char *plugin_dir_at(const void *context, size_t i)
{
	const struct site_files *files = context;

	return i < files->plugin_dir_count ? files->plugin_dir[i].path : NULL;
}

/* The default folder counts where it has Slurm's own plugins: a host that only reads slurm.conf
 * need not have them. */
void lint_plugin_missing(struct lint *lint)
{
	const struct site_files *files = lint->site->files;
	const struct slurm_pair *type = lint_pair(lint, KEY_TYPE);
	bool is_given = slurm_conf_find(lint->site->slurm, "PluginDir"), some_exist = false;
	char list[256];

	for (size_t i = 0; i < files->plugin_dir_count; i++)
		some_exist |= files->plugin_dir[i].exists;
	if (!type || !some_exist || *files->plugin.path)
		return;
	list_text((struct name_list){ plugin_dir_at, files }, ", ", list, sizeof(list));
	if (is_given)
		lint_at(lint, type, "no folder of PluginDir has the plugin of %.60s: %s",
			type->value, list);
	else if (*files->other.path)
		lint_at(lint, type, "the default PluginDir does not have the plugin of %.60s: %s",
			type->value, list);
}

/* On a host that has none of the folders, nothing is known. */
void lint_plugin_dir_missing(struct lint *lint)
{
	const struct site_files *files = lint->site->files;
	const struct slurm_pair *dir = slurm_conf_find(lint->site->slurm, "PluginDir");
	bool some_exist = false;

	for (size_t i = 0; i < files->plugin_dir_count; i++)
		some_exist |= files->plugin_dir[i].exists;
	for (size_t i = 0; dir && some_exist && i < files->plugin_dir_count; i++)
		if (!files->plugin_dir[i].exists)
			lint_at(lint, dir, "'%.200s' is not a folder on this host",
				files->plugin_dir[i].path);
}

/* Writes a version as Slurm does, such as 22.05.8. */
static const char *version_text(unsigned version, char *text, size_t size)
{
	snprintf(text, size, "%u.%02u.%u", version >> 16, (version >> 8) & 0xff, version & 0xff);
	return text;
}

/* slurmctld's own version counts if it is known, else that of a plugin beside. */
static unsigned version_of_slurm(const struct lint *lint)
{
	const struct lint_running *running = lint->site->running;
	unsigned major, minor, micro;

	for (; running && running->key; running++)
		if (!strcmp(running->key, "SLURM_VERSION") && running->value &&
		    sscanf(running->value, "%u.%u.%u", &major, &minor, &micro) == 3)
			return major << 16 | minor << 8 | micro;
	return lint->site->files->other.version;
}

void lint_plugin_release(struct lint *lint)
{
	const struct site_plugin *plugin = &lint->site->files->plugin;
	unsigned slurm = version_of_slurm(lint);
	char ours[32], theirs[32];

	if (plugin->version && slurm && plugin->version != slurm)
		lint_in_file(lint, plugin->path, 0, "PriorityType",
			     "the plugin was built for Slurm "
			     "%s, and this is %s",
			     version_text(plugin->version, ours, sizeof(ours)),
			     version_text(slurm, theirs, sizeof(theirs)));
}

/* ---- state -------------------------------------------------------------------------- */

void lint_state_unwritable(struct lint *lint)
{
	const struct site_folder *state = &lint->site->files->state;

	if (state->exists && !state->is_writable)
		lint_in_slurm(lint, "StateSaveLocation", "SlurmUser may not write to '%.200s'",
			      state->path);
}

/* The folder is looked for only on a host that has slurmctld's folder. */
void lint_figures_unwritable(struct lint *lint)
{
	const struct site_files *files = lint->site->files;
	const struct site_folder *figures = &files->figures;
	unsigned line = lint->site->fathom->line[CONF_FIGURES_FILE];

	if (!*figures->path)
		return;
	if (!figures->exists && files->state.exists)
		lint_in_fathom(lint, line, "FiguresFile", "there is no folder '%.200s'",
			       figures->path);
	else if (!figures->is_writable)
		lint_in_fathom(lint, line, "FiguresFile", "SlurmUser may not write to '%.200s'",
			       figures->path);
}

void lint_figures_foreign(struct lint *lint)
{
	const struct site_files *files = lint->site->files;

	if (files->figures_is_foreign)
		lint_in_fathom(lint, lint->site->fathom->line[CONF_FIGURES_FILE], "FiguresFile",
			       "'%.200s' is a file of another kind", files->figures_file);
}

/* The file is missed only on a host that has slurmctld's folder. */
void lint_import_unreadable(struct lint *lint)
{
	const struct site_import *import = &lint->site->files->import;
	unsigned line = lint->site->fathom->line[CONF_IMPORT_USAGE];

	if (!*import->path)
		return;
	if (!import->exists && lint->site->files->state.exists)
		lint_in_fathom(lint, line, "ImportUsage", "there is no file '%.200s'",
			       import->path);
	else if (!import->is_readable)
		lint_in_fathom(lint, line, "ImportUsage", "SlurmUser may not read '%.200s'",
			       import->path);
}

void lint_import_wrong(struct lint *lint)
{
	const struct site_import *import = &lint->site->files->import;

	if (import->is_wrong)
		lint_in_file(lint, import->path, import->line, NULL, "%s", import->error.text);
}

/* ---- the running controller --------------------------------------------------------- */

/* Without PriorityType slurmctld would start with a plugin of its own. */
static void compare_with_default_type(struct lint *lint, const struct lint_running *running)
{
	if (strcmp(running->key, "PriorityType") || !running->value ||
	    !strcmp(running->value, "priority/basic") ||
	    !strcmp(running->value, "priority/multifactor"))
		return;
	lint_in_slurm(lint, running->key,
		      "PriorityType is not given; slurmctld runs with %.100s", running->value);
}

/* Compares what slurmctld runs with and what slurm.conf says now. */
void lint_not_in_force(struct lint *lint)
{
	for (const struct lint_running *running = lint->site->running; running->key; running++) {
		const struct slurm_pair *pair = slurm_conf_find(lint->site->slurm, running->key);

		if (!pair)
			compare_with_default_type(lint, running);
		else if (!pair->is_unknown && running->value &&
		    !lint_means_same(running->key, pair->value, running->value))
			lint_at(lint, pair, "%s=%.100s is not in force; slurmctld runs with %.100s",
				pair->key, pair->value, running->value);
	}
}
