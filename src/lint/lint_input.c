/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files into a struct lint_input. This and its header are all of the folder that reads. */
#include "lint/lint_input.h"

#include "conf/conf_parse.h"
#include "conf/conf_policy.h"
#include "core/error.h"
#include "format/accounting/accounting.h"
#include "format/format.h"
#include "format/job_settings.h"
#include "format/snapshot_parts.h"
#include "format/unknown_format.h"
#include "jobs/job_evaluate.h"
#include "lint/lint_context.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WARNINGS 1

/* ---- the two configurations --------------------------------------------------------- */

int lint_input_slurm(struct lint_input *input, const char *path, struct fathom_error *error)
{
	input->wrong_file = path;
	if (slurm_conf_read(&input->slurm, path, error))
		return -1;
	input->site.slurm = &input->slurm;
	input->site.slurm_file = input->slurm.file[0];
	return 0;
}

static void read_fathom_text(struct lint_input *input, const char *path, const char *text)
{
	input->fathom = conf_standard();
	input->site.fathom_file = need_text(path);
	if (!conf_parse_all(&input->fathom, text, &input->fathom_errors))
		input->site.fathom = &input->fathom;
	else
		input->site.fathom_errors = &input->fathom_errors;
	need_done(!input->site.fathom && !input->fathom_errors.count);
}

int lint_input_fathom(struct lint_input *input, const char *path, bool beside,
		      struct fathom_error *error)
{
	struct document file;

	input->wrong_file = path;
	if (document_load(&file, path, error))
		return beside && error->code == ENOENT ? 0 : -1;
	read_fathom_text(input, path, file.text);
	document_clear(&file);
	return 0;
}

/* Reads the fathom.conf that lies beside slurm.conf. */
static int read_fathom_beside(struct lint_input *input, const char *slurm,
			      struct fathom_error *error)
{
	const char *slash = strrchr(slurm, '/');
	int status;

	if (!strcmp(slurm, "-"))
		return 0;
	status = lint_input_fathom(input, need_print("%.*sfathom.conf",
						     slash ? (int)(slash + 1 - slurm) : 0, slurm),
				   true, error);
	input->wrong_file = "fathom.conf beside slurm.conf";
	return status;
}

static const char *value_of(const struct lint_input *input, const char *key)
{
	const struct slurm_pair *pair =
		input->site.slurm ? slurm_conf_find(&input->slurm, key) : NULL;

	return pair && !pair->is_unknown ? pair->value : NULL;
}

/* Returns whether slurm.conf is known not to have the key. */
static bool lacks(const struct lint_input *input, const char *key)
{
	return input->site.slurm && !input->slurm.is_open && !slurm_conf_find(&input->slurm, key);
}

void lint_input_files(struct lint_input *input, const char *plugin_dir, const char *state)
{
	const char *type = value_of(input, "PriorityType");
	const char *slash = type ? strchr(type, '/') : NULL;
	struct site_names names = {
		.plugin_dir = value_of(input, "PluginDir"),
		.plugin = slash ? slash + 1 : type,
		.state = value_of(input, "StateSaveLocation"),
		.figures = input->site.fathom ? input->fathom.figures_file : NULL,
		.import = input->site.fathom ? input->fathom.import_usage : NULL,
		.slurm_user = value_of(input, "SlurmUser"),
	};

	if (!names.plugin_dir && lacks(input, "PluginDir"))
		names.plugin_dir = plugin_dir;
	if (!names.state)
		names.state = state;
	site_files_read(&input->files, &names);
	input->site.files = &input->files;
}

/* ---- trees, jobs, users ------------------------------------------------------------- */

static int read_tree(struct lint_input *input, const struct format *format, struct document *file,
		     struct fathom_error *error)
{
	if (input->site.tree)
		return fathom_error_set(error, EINVAL, "only one file may have a tree");
	if (!format->by_name && document_load_rest(file, error))
		return -1;
	if (format->read_recorded ? format->read_recorded(file, &input->pass, error)
				  : format->read(file, &input->snapshot, error))
		return -1;
	input->has_pass = format->read_recorded;
	input->site.tree = input->has_pass ? &input->pass.in_force.snapshot : &input->snapshot;
	input->site.tree_file = file->name;
	return 0;
}

/* Reads jobs that wait or run; the usage of jobs is not checked. */
static void read_records(struct lint_input *input, const struct format *format,
			 struct document *file)
{
	static const struct accounting_rules rules = { .half_life_count = 1 };

	accounting_read(format, file, &rules, NULL, &input->jobs);
}

static int read_jobs(struct lint_input *input, const struct format *format, struct document *file,
		     struct fathom_error *error)
{
	if (input->site.jobs_file)
		return fathom_error_set(error, EINVAL, "only one file may have jobs");
	if (format->read_accounting)
		read_records(input, format, file);
	else if (document_load_rest(file, error) || format->read_jobs(file, &input->jobs, error))
		return -1;
	input->site.jobs_file = file->name;
	return 0;
}

static int read_users(struct lint_input *input, struct document *file, struct fathom_error *error)
{
	if (input->accounts.count)
		return fathom_error_set(error, EINVAL, "only one file may have users");
	if (document_load_rest(file, error) || default_accounts_read(file, &input->accounts, error))
		return -1;
	input->user = need_zeros(input->accounts.count, sizeof(*input->user));
	for (size_t i = 0; i < input->accounts.count; i++)
		input->user[i] =
			(struct lint_user){ .name = input->accounts.user[i].name,
					    .default_account = input->accounts.user[i].account };
	input->site.user = input->user;
	input->site.user_count = input->accounts.count;
	return 0;
}

/* Reads the two configurations that stand in a snapshot, unless others are given. Its slurm.conf
 * has keys of priorities alone, so that the absence of a key says nothing. */
static int read_texts(struct lint_input *input, const struct format *format, struct document *file,
		      struct fathom_error *error)
{
	char *slurm = NULL, *fathom = NULL;
	int status = format->read_conf(file, &fathom, error) ||
		     snapshot_read_text(file, "slurm_conf", &slurm, error) ? -1 : 0;

	if (!status && fathom && !input->site.fathom_file)
		read_fathom_text(input, need_print("%s: fathom_conf", file->name), fathom);
	if (!status && slurm && !input->site.slurm) {
		slurm_conf_read_text(&input->slurm, need_print("%s: slurm_conf", file->name),
				     slurm);
		input->slurm.is_open = true;
		input->site.slurm = &input->slurm;
		input->site.slurm_file = input->slurm.file[0];
	}
	free(slurm);
	free(fathom);
	return status;
}

/* Reads all parts of a cluster's snapshot. */
static int read_cluster(struct lint_input *input, const struct format *format,
			struct document *file, struct fathom_error *error)
{
	return read_tree(input, format, file, error) || read_jobs(input, format, file, error) ||
	       read_texts(input, format, file, error) ? -1 : 0;
}

static int read_any(struct lint_input *input, struct document *file, struct fathom_error *error)
{
	const struct format *format;

	if (default_accounts_recognize(file))
		return read_users(input, file, error);
	format = format_recognize(file);
	if (!format)
		return input_wrong(file, 1, error,
				   "%s, must be users of sacctmgr, fathom-jobs or a tree; "
				   "fathom convert --list lists the formats",
				   unknown_format_reason(file));
	if (format->holds == HOLDS_SETTINGS)
		return input_wrong(file, 0, error, "has settings (%s), must have a tree, jobs or "
				   "users; --slurm-conf reads slurm.conf", format->name);
	if (input_check_content(file, format->summary, error))
		return -1;
	if (format_is_whole(format))
		return read_cluster(input, format, file, error);
	return (format->read ? read_tree : read_jobs)(input, format, file, error);
}

static int read_from(struct lint_input *input, const char *name, struct fathom_error *error)
{
	struct document file;
	int status = document_open(&file, name, error) || read_any(input, &file, error) ? -1 : 0;

	input->wrong_file = name;
	input->wrong_line = file.line;
	document_clear(&file);
	return status;
}

/* ---- jobs --------------------------------------------------------------------------- */

/* slurm.conf, if it is given, goes before the settings of the file of jobs. */
static void set_weights(struct lint_input *input)
{
	for (size_t i = 0; input->site.slurm && i < input->slurm.pair_count; i++) {
		const struct slurm_pair *pair = &input->slurm.pair[i];

		if (pair->first == i && !pair->is_unknown && job_settings_know(pair->key))
			job_settings_set(&input->jobs.settings, pair->key, pair->value, NULL);
	}
}

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

/* Of very many, the command that releases all of them is told instead. */
void lint_input_add_held(struct lint_input *input, int64_t job)
{
	struct lint_site *site = &input->site;

	if (!site->held_count++)
		site->held = need_print("%lld", (long long)job);
	else if (site->held_count <= LINT_MOST_HELD)
		site->held = need_print("%s,%lld", site->held, (long long)job);
}

static void find_held(struct lint_input *input)
{
	for (size_t i = 0; i < input->jobs.job_count; i++)
		if (input->jobs.job[i].own_hold != JOBS_NONE)
			lint_input_add_held(input, input->jobs.job[i].id);
}

/* Computes the terms of jobs by the weights and the policy of the configuration. */
static int evaluate_jobs(struct lint_input *input, struct fathom_error *error)
{
	char text[MOST_WARNINGS][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = MOST_WARNINGS, .text = text };
	struct job_rule rule = { .snapshot = input->site.tree };
	const struct fathom_conf standard = conf_standard();
	const struct fathom_conf *conf = input->site.fathom ? &input->fathom : &standard;
	struct conf_slurm slurm;

	input->wrong_file = input->site.jobs_file;
	input->wrong_line = 0;
	set_weights(input);
	slurm = job_settings_slurm(&input->jobs.settings);
	rule.policy = conf_policy_in_force(conf, &slurm);
	rule.settings = conf_settings(conf, &slurm, rule.policy);
	if (job_list_evaluate(&input->list, &input->jobs, &rule, &warnings, error))
		return -1;
	input->site.jobs = &input->list;
	find_held(input);
	list_qos(input);
	return 0;
}

/* ---- all ---------------------------------------------------------------------------- */

int lint_input_read(struct lint_input *input, const struct lint_names *names,
		    struct fathom_error *error)
{
	if (names->slurm && lint_input_slurm(input, names->slurm, error))
		return -1;
	if (names->fathom && lint_input_fathom(input, names->fathom, false, error))
		return -1;
	if (names->slurm && !names->fathom && read_fathom_beside(input, names->slurm, error))
		return -1;
	for (size_t i = 0; i < names->from_count; i++)
		if (read_from(input, names->from[i], error))
			return -1;
	if (names->slurm || names->fathom)
		lint_input_files(input, names->plugin_dir, NULL);
	return input->site.jobs_file ? evaluate_jobs(input, error) : 0;
}

void lint_input_clear(struct lint_input *input)
{
	if (input->site.fathom)
		conf_clear(&input->fathom);
	conf_errors_clear(&input->fathom_errors);
	if (input->has_pass)
		recorded_pass_clear(&input->pass);
	snapshot_clear(&input->snapshot);
	job_list_clear(&input->list);
	if (input->site.jobs_file)
		jobs_clear(&input->jobs);
	default_accounts_clear(&input->accounts);
	if (input->release)
		input->release(input->answer);
	*input = (struct lint_input){ 0 };
}
