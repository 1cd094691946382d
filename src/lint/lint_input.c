/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files into a struct lint_input. No other file of this folder reads files. */
#include "lint/lint_input.h"

#include "conf/conf_parse.h"
#include "conf/conf_policy.h"
#include "format/accounting/accounting.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/snapshot_parts.h"
#include "format/unknown_format.h"
#include "jobs/job_evaluate.h"
#include "lint/lint_context.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <string.h>

#define MOST_WARNINGS 1		/* of an evaluation; they are not shown */

/* ---- the two configurations --------------------------------------------------------- */

int lint_input_slurm(struct lint_input *input, const char *path, struct fathom_error *error)
{
	if (slurm_conf_read(&input->slurm, path, error))
		return -1;
	input->site.slurm = &input->slurm;
	input->site.slurm_file = input->slurm.file[0];
	return 0;
}

/* Reads the text of fathom.conf. If it is wrong, fathom_errors is set in place of `fathom`. */
static void read_fathom_text(struct lint_input *input, const char *path, const char *text)
{
	input->fathom = conf_standard();
	input->site.fathom_file = need_text(path);
	if (!conf_parse_all(&input->fathom, text, &input->fathom_errors))
		input->site.fathom = &input->fathom;
	else
		input->site.fathom_errors = &input->fathom_errors;
	/* wrong without an error: out of memory */
	need_done(!input->site.fathom && !input->fathom_errors.count);
}

void lint_input_texts(struct lint_input *input, const char *slurm_name, const char *slurm,
		      const char *fathom_name, const char *fathom)
{
	slurm_conf_read_text(&input->slurm, slurm_name, slurm);
	input->site.slurm = &input->slurm;
	input->site.slurm_file = slurm_name;
	read_fathom_text(input, fathom_name, fathom);
}

int lint_input_fathom(struct lint_input *input, const char *path, bool beside,
		      struct fathom_error *error)
{
	struct document file;

	if ((beside ? document_load_regular : document_load)(&file, path, error))
		return beside && error->code == ENOENT ? 0 : -1;	/* it need not exist */
	conf_mark_nuls(file.text, file.length);
	read_fathom_text(input, path, file.text);
	document_clear(&file);
	return 0;
}

/* Reads the fathom.conf beside slurm.conf, if there is one. slurm: the path of slurm.conf; "-" for
 * stdin, which has no file beside. */
static void read_fathom_beside(struct lint_input *input, const char *slurm)
{
	const char *slash = strrchr(slurm, '/');
	struct fathom_error error;

	if (strcmp(slurm, "-") &&
	    lint_input_fathom(input, need_print("%.*sfathom.conf",
						slash ? (int)(slash + 1 - slurm) : 0, slurm),
			      true, &error))
		wrong_by(&(struct document){ .name = "fathom.conf beside slurm.conf" }, 0, &error);
}

/* Returns the value of a key of slurm.conf. NULL: there is no slurm.conf or no such key, or a
 * template fills in the value, so that it is not known. */
static const char *slurm_value(const struct lint_input *input, const char *key)
{
	const struct slurm_pair *pair =
		input->site.slurm ? slurm_conf_find(&input->slurm, key) : NULL;

	return pair && !pair->is_unknown ? pair->value : NULL;
}

/* Returns whether slurm.conf was read, and is known not to have the key. */
static bool lacks(const struct lint_input *input, const char *key)
{
	return input->site.slurm && !input->slurm.is_open && !slurm_conf_find(&input->slurm, key);
}

void lint_input_files(struct lint_input *input, const char *plugin_dir, const char *state)
{
	const char *type = slurm_value(input, "PriorityType");
	const char *slash = type ? strchr(type, '/') : NULL;
	struct site_names names = {
		.plugin_dir = slurm_value(input, "PluginDir"),
		.plugin = slash ? slash + 1 : type,
		.state = slurm_value(input, "StateSaveLocation"),
		.written = {
			[SITE_FIGURES] = input->site.fathom ? input->fathom.figures_file : NULL,
			[SITE_METRICS] = input->site.fathom ? input->fathom.metrics_file : NULL,
			[SITE_USAGE] = input->site.fathom ? input->fathom.usage_file : NULL,
		},
		.import = input->site.fathom ? input->fathom.import_usage : NULL,
		.adjust = input->site.fathom ? input->fathom.adjust : NULL,
		.slurm_user = slurm_value(input, "SlurmUser"),
		.global = input->site.fathom ? &input->fathom.global : NULL,
	};

	if (!names.plugin_dir && lacks(input, "PluginDir"))
		names.plugin_dir = plugin_dir;
	if (!names.state)
		names.state = state;
	site_files_read(&input->files, &names);
	input->site.files = &input->files;
}

/* ---- trees, jobs, users ------------------------------------------------------------- */

/* Reads the tree of a file. */
static void read_tree(struct lint_input *input, const struct format *format, struct document *file)
{
	if (input->site.tree)
		wrong_at(file, 0, "only one file may have a tree");
	if (!format->by_name)
		document_load_rest(file);
	if (format->read_recorded)
		format->read_recorded(file, &input->pass);
	else
		format->read(file, &input->snapshot);
	input->site.tree = format->read_recorded ? &input->pass.in_force.snapshot
						 : &input->snapshot;
	input->site.tree_file = file->name;
	input->site.lacks_usage = !(format->holds & HOLDS_USAGE);
}

/* Reads the jobs of a file. Those of an accounting file that wait or run are read without a tree,
 * as their usage is not needed; the rules must have a half-life, though. */
static void read_jobs(struct lint_input *input, const struct format *format, struct document *file)
{
	static const struct accounting_rules rules = { .half_life_count = 1 };

	if (input->site.jobs_file)
		wrong_at(file, 0, "only one file may have jobs");
	if (format->read_accounting) {
		accounting_read(format, file, &rules, NULL, &input->jobs);
	} else {
		document_load_rest(file);
		format->read_jobs(file, &input->jobs);
	}
	input->site.jobs_file = file->name;
}

/* Reads the users of a file, with their default accounts. */
static void read_users(struct lint_input *input, struct document *file)
{
	if (input->accounts.count)
		wrong_at(file, 0, "only one file may have users");
	document_load_rest(file);
	default_accounts_read(file, &input->accounts);
	/* not NULL, as it is known that there are none */
	input->site.user = input->accounts.user ? input->accounts.user : need_zeros(0, 1);
	input->site.user_count = input->accounts.count;
}

/* Reads fathom.conf and slurm.conf from a snapshot, unless the user gives others. The snapshot's
 * slurm.conf has only keys about priorities, so nothing follows from a missing key (is_open). */
static void read_texts(struct lint_input *input, const struct format *format, struct document *file)
{
	const char *fathom = format->read_conf(file);
	const char *slurm = snapshot_read_text(file, "slurm_conf");

	if (fathom && !input->site.fathom_file)
		read_fathom_text(input, need_print("%s: fathom_conf", file->name), fathom);
	if (!slurm || input->site.slurm)
		return;
	slurm_conf_read_text(&input->slurm, need_print("%s: slurm_conf", file->name), slurm);
	input->slurm.is_open = true;
	input->site.slurm = &input->slurm;
	input->site.slurm_file = input->slurm.file[0];
}

/* Recognises a file, and reads what it has: users, a tree, jobs, or all of a snapshot. */
static void read_any(struct lint_input *input, struct document *file)
{
	const struct format *format;

	if (default_accounts_recognize(file)) {
		read_users(input, file);
		return;
	}
	format = format_recognize(file);
	if (!format)
		wrong_format(file, "users of sacctmgr, fathom-jobs or a tree; fathom convert "
				   "--list lists the formats");
	if (format->holds == HOLDS_SETTINGS)
		wrong_at(file, 0, "has settings (%s), must have a tree, jobs or users; "
			 "--slurm-conf reads slurm.conf", format->name);
	input_check_content(file, format->summary);
	(format->read ? read_tree : read_jobs)(input, format, file);
	if (format_is_whole(format)) {
		read_jobs(input, format, file);
		read_texts(input, format, file);
	}
}

/* Reads a file of --from. */
static void read_from(struct lint_input *input, const char *name)
{
	struct document file;

	document_open(&file, name);
	read_any(input, &file);
	document_clear(&file);
}

/* ---- jobs --------------------------------------------------------------------------- */

/* Sets the settings of the jobs to those of slurm.conf, if it is given: they go before those of the
 * file of jobs. */
static void set_job_settings(struct lint_input *input)
{
	for (size_t i = 0; input->site.slurm && i < input->slurm.pair_count; i++) {
		const struct slurm_pair *pair = &input->slurm.pair[i];

		/* general keys: the first pair of its line */
		if (pair->first == i && !pair->is_unknown && job_settings_know(pair->key))
			job_settings_set(&input->jobs.settings, pair->key, pair->value, NULL);
	}
}

/* Lists the QOS of the file of jobs for the checks. */
static void list_qos(struct lint_input *input)
{
	size_t count = input->jobs.qos_count;

	if (!count)
		return;
	input->qos = need_zeros(count, sizeof(*input->qos));
	for (size_t i = 0; i < count; i++)
		input->qos[i] =
			(struct lint_qos){ .name = jobs_text(&input->jobs, input->jobs.qos[i].name),
					   .priority = input->jobs.qos[i].priority };
	input->site.qos = input->qos;
	input->site.qos_count = count;
}

/* The list of numbers ends after LINT_MOST_HELD: the fix then names a command that finds them. */
void lint_input_add_held(struct lint_input *input, int64_t job)
{
	struct lint_site *site = &input->site;

	if (!site->held_count++)
		site->held = need_print("%lld", (long long)job);
	else if (site->held_count <= LINT_MOST_HELD)
		site->held = need_print("%s,%lld", site->held, (long long)job);
}

/* Computes the terms of jobs by the weights and the policy of the configuration, and sets what
 * checks need of jobs. */
static void evaluate_jobs(struct lint_input *input)
{
	char text[MOST_WARNINGS][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = MOST_WARNINGS, .text = text };
	struct job_rule rule = { .snapshot = input->site.tree };
	const struct fathom_conf standard = conf_standard();
	const struct fathom_conf *conf = input->site.fathom ? &input->fathom : &standard;
	struct conf_slurm slurm;
	struct fathom_error error;

	set_job_settings(input);
	slurm = job_settings_slurm(&input->jobs.settings);
	rule.policy = conf_policy_in_force(conf, &slurm);
	rule.settings = conf_settings(conf, &slurm, rule.policy);
	if (job_list_evaluate(&input->list, &input->jobs, &rule, &warnings, &error))
		wrong_by(&(struct document){ .name = input->site.jobs_file }, 0, &error);
	input->site.jobs = &input->list;
	for (size_t i = 0; i < input->jobs.job_count; i++)
		if (input->jobs.job[i].own_hold != JOBS_NONE)
			lint_input_add_held(input, input->jobs.job[i].id);
	list_qos(input);
}

/* ---- all ---------------------------------------------------------------------------- */

void lint_input_read(struct lint_input *input, const struct lint_names *names)
{
	struct fathom_error error;

	if (names->slurm && lint_input_slurm(input, names->slurm, &error))
		wrong_by(&(struct document){ .name = names->slurm }, 0, &error);
	if (names->fathom && lint_input_fathom(input, names->fathom, false, &error))
		wrong_by(&(struct document){ .name = names->fathom }, 0, &error);
	if (names->slurm && !names->fathom)
		read_fathom_beside(input, names->slurm);
	for (size_t i = 0; i < names->from_count; i++)
		read_from(input, names->from[i]);
	if (names->slurm || names->fathom)
		lint_input_files(input, names->plugin_dir, NULL);
	if (input->site.jobs_file)
		evaluate_jobs(input);
}
