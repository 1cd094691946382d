/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of slurm.conf as a text, of the plugins, folders and files of this host, and of the
 * running slurmctld. Each check is a function whose row, at the end of the file, tells what it
 * finds and why. */
#include "lint/lint_context.h"

#include "lint/slurm_keys.h"
#include "memory/need_memory.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define LITTLE_LEFT 0.01	/* of usage that has decayed */

/* ---- the text of slurm.conf --------------------------------------------------------- */

/* Reports the faults of slurm.conf whose kind the row has. */
static void report_faults(struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;

	for (size_t i = 0; i < slurm->fault_count; i++)
		if (slurm->fault[i].kind == lint->row->kind)
			lint_in_file(lint, slurm->fault[i].file, slurm->fault[i].line, NULL, "%s",
				     slurm->fault[i].text);
}

static void slurm_empty(struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;

	if (!slurm->pair_count && !slurm->fault_count && !slurm->is_open)
		lint_in_slurm(lint, NULL, "the file has no Key=Value");
}

static void template(struct lint *lint)
{
	size_t marks = lint->site->slurm->marks;

	if (marks)
		lint_in_slurm(lint, NULL,
			      "the file is a template with %zu marks such as {{ name }}", marks);
}

/* ---- keys --------------------------------------------------------------------------- */

/* Reports a key that is not among the known ones, and suggests one of these. */
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

/* The first pair of a line is a general key or begins a description; the others are keys of that
 * description, of which not all kinds are listed. */
static void unknown_key(struct lint *lint)
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

/* A template is not checked: each branch of a condition may have the key. */
static void key_twice(struct lint *lint)
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

/* Reports wrong factors on lines of partitions; for value_wrong(). */
static void partition_value_wrong(struct lint *lint)
{
	static const char *const factors[] = { "Priority", "PriorityJobFactor", "PriorityTier",
					       NULL };
	const struct slurm_conf *slurm = lint->site->slurm;
	struct fathom_error error;
	double number;

	for (size_t i = 0; i < slurm->pair_count; i++) {
		const struct slurm_pair *pair = &slurm->pair[i];

		if (!strcasecmp(slurm->pair[pair->first].key, "PartitionName") &&
		    slurm_key_is_in(factors, pair->key) && !pair->is_unknown &&
		    lint_parse_short(pair->value, &number, &error))
			lint_at(lint, pair, "%s: %s", pair->key, error.text);
	}
}

static void value_wrong(struct lint *lint)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const struct lint_value *value = &lint->value[i];

		if (value->is_wrong)
			lint_at(lint, value->pair, "%s: %s", value->pair->key, value->error.text);
	}
	partition_value_wrong(lint);
}

/* ---- plugins ------------------------------------------------------------------------ */

/* For struct name_list. */
static const char *plugin_dir_at(const void *context, size_t i)
{
	const struct site_files *files = context;

	return i < files->plugin_dir_count ? files->plugin_dir[i].path : NULL;
}

/* Returns whether this host has one of the folders of PluginDir: else it is not one of the cluster,
 * and nothing is reported. */
static bool has_plugin_dir(const struct site_files *files)
{
	for (size_t i = 0; i < files->plugin_dir_count; i++)
		if (files->plugin_dir[i].exists)
			return true;
	return false;
}

/* If slurm.conf has no PluginDir, the default folder is checked only if it has Slurm's own plugins:
 * a host on which slurm.conf is only checked need not have them. */
static void plugin_missing(struct lint *lint)
{
	const struct site_files *files = lint->site->files;
	const struct slurm_pair *type = lint_pair(lint, KEY_TYPE);
	bool is_given = slurm_conf_find(lint->site->slurm, "PluginDir");
	const char *list = need_list((struct name_list){ plugin_dir_at, files }, ", ", 256);

	if (!type || !has_plugin_dir(files) || *files->plugin.path)
		return;
	if (is_given)
		lint_at(lint, type, "no folder of PluginDir has the plugin of %.60s: %s",
			type->value, list);
	else if (*files->other.path)
		lint_at(lint, type, "the default PluginDir does not have the plugin of %.60s: %s",
			type->value, list);
}

static void plugin_dir_missing(struct lint *lint)
{
	const struct site_files *files = lint->site->files;
	const struct slurm_pair *dir = slurm_conf_find(lint->site->slurm, "PluginDir");

	for (size_t i = 0; dir && has_plugin_dir(files) && i < files->plugin_dir_count; i++)
		if (!files->plugin_dir[i].exists)
			lint_at(lint, dir, "'%.200s' is not a folder on this host",
				files->plugin_dir[i].path);
}

/* Returns Slurm's version: slurmctld's if it is known, else that of Slurm's own plugins beside the
 * plugin. 0: not known. */
static unsigned version_of_slurm(const struct lint *lint)
{
	const struct lint_running *running = lint->site->running;
	unsigned version = 0;

	for (; running && running->key && !version; running++)
		if (!strcmp(running->key, "SLURM_VERSION"))
			version = site_version_parse(running->value);
	return version ? version : lint->site->files->other.version;
}

static void plugin_release(struct lint *lint)
{
	const struct site_plugin *plugin = &lint->site->files->plugin;
	unsigned slurm = version_of_slurm(lint);

	if (plugin->version && slurm && plugin->version != slurm)
		lint_in_file(lint, plugin->path, 0, "PriorityType", "the plugin was built for "
			     "Slurm %s, and this is %s", site_version_text(plugin->version),
			     site_version_text(slurm));
}

/* ---- state -------------------------------------------------------------------------- */

static void state_unwritable(struct lint *lint)
{
	const struct seen_folder *state = &lint->site->files->state;

	if (state->exists && !state->is_writable)
		lint_in_slurm(lint, "StateSaveLocation", "SlurmUser may not write to '%.200s'",
			      state->path);
}

/* The settings of files that passes write, by enum of site_files.h. */
static const enum conf_setting written[SITE_WRITTEN] = {
	[SITE_FIGURES] = CONF_FIGURES_FILE, [SITE_METRICS] = CONF_METRICS_FILE,
	[SITE_USAGE] = CONF_USAGE_FILE,
};

/* A missing folder is reported only if this host has StateSaveLocation, so is one of slurmctld. */
static void figures_unwritable(struct lint *lint)
{
	const struct site_files *files = lint->site->files;

	for (size_t i = 0; i < SITE_WRITTEN; i++) {
		const struct seen_folder *folder = &files->written[i].folder;

		if (!*folder->path)
			continue;
		if (!folder->exists && files->state.exists)
			lint_at_setting(lint, written[i], "there is no folder '%.200s'",
					folder->path);
		else if (!folder->is_writable)
			lint_at_setting(lint, written[i], "SlurmUser may not write to '%.200s'",
					folder->path);
	}
}

static void figures_foreign(struct lint *lint)
{
	for (size_t i = 0; i < SITE_WRITTEN; i++) {
		const struct site_written *file = &lint->site->files->written[i];

		if (file->is_foreign)
			lint_at_setting(lint, written[i], "'%.200s' is a file of another kind",
					file->path);
	}
}

/* A missing file is reported only if this host has StateSaveLocation, so is one of slurmctld. */
static void import_unreadable(struct lint *lint)
{
	const struct site_import *import = &lint->site->files->import;

	if (!*import->path)
		return;
	if (!import->exists && lint->site->files->state.exists)
		lint_at_setting(lint, CONF_IMPORT_USAGE, "there is no file '%.200s'", import->path);
	else if (!import->is_readable)
		lint_at_setting(lint, CONF_IMPORT_USAGE, "SlurmUser may not read '%.200s'",
				import->path);
}

static void import_wrong(struct lint *lint)
{
	const struct site_import *import = &lint->site->files->import;

	if (import->is_wrong)
		lint_in_file(lint, import->path, import->line, NULL, "%s", import->error.text);
}

/* Usage in the file decays from the time in the file, not from the import on. */
static void import_old(struct lint *lint)
{
	const struct site_import *import = &lint->site->files->import;
	double length = lint_half_life(lint), left;

	if (!import->has_time || !(length > 0))
		return;
	left = exp2(-import->age / length);
	if (left < LITTLE_LEFT)
		lint_at_setting(lint, CONF_IMPORT_USAGE, "usage in '%.200s' is %s old, and %.2g%% "
				"of it is left by a half-life of %s", import->path,
				lint_time_text(import->age), 100 * left, lint_time_text(length));
}

/* ---- the running controller --------------------------------------------------------- */

/* For a slurm.conf without PriorityType: reports a running slurmctld that has another type than the
 * default, which would be priority/basic or priority/multifactor. */
static void compare_with_default_type(struct lint *lint, const struct lint_running *running)
{
	if (strcmp(running->key, "PriorityType") || !running->value ||
	    !strcmp(running->value, "priority/basic") ||
	    !strcmp(running->value, "priority/multifactor"))
		return;
	lint_in_slurm(lint, running->key,
		      "PriorityType is not given; slurmctld runs with %.100s", running->value);
}

/* Compares the values that slurmctld has in force with those of slurm.conf. */
static void not_in_force(struct lint *lint)
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

/* ---- the rows ----------------------------------------------------------------------- */

const struct lint_row lint_file_rows[] = {
	{ "slurm-syntax", LINT_ERROR, LINT_SLURM, report_faults,
	  "a line of slurm.conf that is not Key=Value",
	  "slurmctld does not start with such a line, and a reconfigure fails.",
	  .fix = "write one Key=Value a line; only lines such as NodeName= have several, and "
		 "values with blanks are quoted", .kind = SLURM_SYNTAX },
	{ "cut-quote", LINT_WARNING, LINT_SLURM, report_faults,
	  "'#' within double quotes",
	  "Slurm takes a comment off before it looks at quotes, so the value ends there.",
	  .fix = "write \\#, or leave '#' out", .kind = SLURM_CUT_QUOTE },
	{ "include-unreadable", LINT_ERROR, LINT_SLURM, report_faults,
	  "an included file that cannot be read",
	  "slurmctld waits for the file for a minute and then does not start.",
	  .fix = "correct the path; it is relative to the file that has the "
		 "Include", .kind = SLURM_INCLUDE_UNREADABLE },
	{ "include-circle", LINT_ERROR, LINT_SLURM, report_faults,
	  "files that include each other",
	  "slurmctld reads them until its memory is used up.",
	  .fix = "remove one of the Include lines", .kind = SLURM_INCLUDE_CIRCLE },
	{ "include-indented", LINT_ERROR, LINT_SLURM, report_faults,
	  "blanks before Include",
	  "slurmctld knows Include at the beginning of a line only, and does not start.",
	  .fix = "remove the blanks", .kind = SLURM_INCLUDE_INDENTED },
	{ "slurm-empty", LINT_WARNING, LINT_SLURM, slurm_empty,
	  "a slurm.conf without any setting",
	  "All settings are then the defaults, and the file describes no cluster.",
	  .fix = "check that this is the right file" },
	{ "template", LINT_NOTE, LINT_SLURM, template,
	  "marks of a template in slurm.conf",
	  "The values of marks are not known here: checks that need them are left out, and all "
		"branches of conditions count.",
	  .fix = "lint the file that the template makes, too" },
	{ "unknown-key", LINT_ERROR, LINT_SLURM, unknown_key,
	  "a key that slurm.conf does not have",
	  "slurmctld does not start with a key that it does not know.",
	  .fix = "correct the spelling, or remove the line" },
	{ "key-twice", LINT_WARNING, LINT_SLURM, key_twice,
	  "a general key that is given twice",
	  "The last value counts, and this one has no effect.",
	  .fix = "keep one of the lines" },
	{ "value-wrong", LINT_ERROR, LINT_SLURM, value_wrong,
	  "a value that slurmctld does not accept",
	  "slurmctld does not start with such a value, or ignores it.",
	  .fix = "give a value as slurm.conf(5) says" },
	{ "plugin-missing", LINT_ERROR, LINT_SLURM | LINT_FILES, plugin_missing,
	  "a priority plugin that is not in PluginDir",
	  "slurmctld ends when it starts, and so does sshare.",
	  .fix = "copy the plugin into a folder of PluginDir, or name its folder there" },
	{ "plugin-dir-missing", LINT_ERROR, LINT_SLURM | LINT_FILES, plugin_dir_missing,
	  "a folder of PluginDir that does not exist",
	  "Slurm refuses slurm.conf on each host that lacks one of the folders.",
	  .fix = "make the folder, or remove it from PluginDir" },
	{ "plugin-release", LINT_ERROR, LINT_FILES, plugin_release,
	  "a priority plugin that was built for another release",
	  "Slurm loads plugins of its own release only, so slurmctld does not start.",
	  .fix = "build fathom with the headers of the installed release: contrib/slurm-headers" },
	{ "state-unwritable", LINT_ERROR, LINT_SLURM | LINT_FILES, state_unwritable,
	  "a StateSaveLocation that SlurmUser may not write to",
	  "Usage and jobs would be lost with a restart; slurmctld does not start.",
	  .fix = "give the folder to SlurmUser" },
	{ "figures-unwritable", LINT_ERROR, LINT_FATHOM | LINT_FILES, figures_unwritable,
	  "a FiguresFile, MetricsFile or UsageFile that cannot be written",
	  "Each pass fails to write it, and what reads it sees older figures or none.",
	  .fix = "make the folder and give it to SlurmUser, or name another one" },
	{ "figures-foreign", LINT_ERROR, LINT_FATHOM | LINT_FILES, figures_foreign,
	  "a FiguresFile, MetricsFile or UsageFile that is a file of another kind",
	  "The plugin does not overwrite a file that it has not written.",
	  .fix = "give it another name, or remove that file" },
	{ "import-unreadable", LINT_ERROR, LINT_FATHOM | LINT_FILES, import_unreadable,
	  "an ImportUsage that is missing, or that SlurmUser may not read",
	  "No usage is added, and each start and reconfigure logs an error.",
	  .fix = "give the file to SlurmUser; if the log says that its usage has been added, "
		 "remove ImportUsage" },
	{ "import-wrong", LINT_ERROR, LINT_FATHOM | LINT_FILES, import_wrong,
	  "an ImportUsage with a mistake, or of another kind",
	  "The plugin adds nothing of such a file.",
	  .fix = "write it by fathom usage --json or fathom convert --to usage" },
	{ "import-old", LINT_WARNING, LINT_SLURM | LINT_FATHOM | LINT_FILES, import_old,
	  "an ImportUsage whose usage has decayed",
	  "Usage decays from the time in the file, so that next to nothing is added.",
	  .fix = "write the file anew; if its usage has been added, remove ImportUsage" },
	{ "not-in-force", LINT_WARNING, LINT_SLURM | LINT_RUNNING, not_in_force,
	  "a setting that slurmctld has not read yet, or a plugin that it has not loaded",
	  "The file was changed after the last start or reconfigure.",
	  .fix = "run scontrol reconfigure; a new PriorityType needs a restart of slurmctld" },
	{ .code = NULL },
};
