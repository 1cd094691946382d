/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the files of --from, and finds the rule for their jobs. read_one() recognises a file; all
 * goes into a struct site_input, whose sources add up usage when all files are read. The trees of a
 * FiguresFile or snapshot go into its `pass`.
 */
#include "cli/jobs/command_jobs.h"

#include "format/printed/printed_priorities.h"
#include "format/slurm/slurm_cluster.h"
#include "format/unknown_format.h"

#include <errno.h>

/* ---- reading -------------------------------------------------------------------------- */

/* Reads the trees of a FiguresFile, or those of a snapshot. */
static void read_pass(const struct format *format, struct document *file, struct site_input *files)
{
	site_input_read_pass(files, format, file);
	remark_left_out(file);
}

/* Refuses a file that has a tree, if another file had one. */
static void refuse_second_tree(struct document *file, const struct site_input *files)
{
	const char *first = files->pass_name ? files->pass_name : files->sources.tree_name;

	if (first)
		wrong_at(file, 0, "only one file may have a tree; %s already does", first);
}

/* Reads a file of jobs, of a tree, or of settings. A second tree is refused here, a second file of
 * jobs by sources_add(). tree_format: of --format, or NULL. format: recognised, or NULL. */
static void read_format(const struct format *tree_format, const struct format *format,
			struct document *file, struct site_input *files)
{
	/* --format is about the tree: a file of jobs keeps its format */
	if (tree_format && !(format && format->holds & HOLDS_JOBS))
		format = tree_format;
	if (!format)
		wrong_format(file, "fathom.conf, or a format of jobs, trees or settings; fathom "
				   "convert --list lists them, --format names one");
	if (format->read && (files->pass_name || format->read_recorded))
		refuse_second_tree(file, files);
	if (format->read_recorded)
		read_pass(format, file, files);
	else
		sources_add(&files->sources, format, file);
}

/* Reads all parts of a cluster's snapshot. */
static void read_cluster(const struct format *format, struct document *file,
			 struct job_input *input)
{
	refuse_second_tree(file, &input->files);
	read_pass(format, file, &input->files);
	sources_add_jobs(&input->files.sources, format, file);
	site_input_read_within(&input->files, format, file);
	input->is_of_snapshot = true;
}

/* Reads rows of jobs with the priorities that fathom prio --json has printed. */
static void read_printed(struct document *file, struct job_input *input)
{
	if (input->printed_name)
		wrong_at(file, 0, "only one file may have priorities");
	printed_priorities_read(file, &input->printed);
	remark_left_out(file);
	input->printed_name = file->name;
}

/* Reads a file of --from, by what it is. tree_format: of --format, or NULL. */
static void read_one(const char *name, const struct format *tree_format, struct job_input *input)
{
	const struct format *format;
	struct document file;

	open_input(&file, name);
	format = format_recognize(&file);
	if (site_input_read_conf(&input->files, tree_format ? tree_format : format, &file))
		;	/* it is read */
	else if (printed_priorities_recognize(&file))
		read_printed(&file, input);
	else if (format && format_is_whole(format))
		read_cluster(format, &file, input);
	else
		read_format(tree_format, format, &file, &input->files);
	document_clear(&file);
}

/* Uses the settings that files of other systems stand for in fathom.conf, unless a fathom.conf is
 * given; that of a snapshot gives way. Those with scopes or resource groups are dropped if the tree
 * is of no scope: they need usage that it does not have, see job_conf_refuse(). */
static void take_policy(struct job_input *input)
{
	const struct sources *sources = &input->files.sources;
	struct job_conf *conf = &input->files.conf;
	const struct site_settings *settings = &sources->settings;
	const struct site_pair *formula = site_settings_find(settings, SITE_FATHOM_CONF, "Formula");
	struct site_conf *site;

	if (!settings->of[SITE_FATHOM_CONF].count || (conf->is_given && !conf->is_of_snapshot))
		return;
	site = need_object(sizeof(*site));
	*site = site_conf_of(settings);
	if (sources_choose_scope(sources, site)) {
		input->of_scope = site;
	} else if (!site->fathom.scope_count && !site->fathom.resources.count) {
		*conf = (struct job_conf){ .conf = site->fathom };
		if (formula)
			conf->formula_key = need_print("%s:%zu: Formula", formula->origin.file,
						       formula->origin.line);
	}
}

/* Completes jobs, tree and settings by each other, when all files are read. The usage of jobs
 * completes a tree without usage; a tree with usage stays as it is. */
static void finish_sources(struct job_input *input)
{
	const bool tree_wins = true;
	struct site_input *files = &input->files;
	struct sources *sources = &files->sources;

	sources_finish(sources, tree_wins);
	remark_left_out(&sources->records);
	if (!sources->jobs_name)
		sources->jobs.settings = job_settings_standard();
	/* files of settings complete policy, weights, partitions and nodes of the jobs */
	slurm_cluster_complete(&sources->jobs, &sources->settings);
	if (sources->settings.of[SITE_SLURM_CONF].count) {
		files->slurm = slurm_conf_of_settings(&sources->settings);
		site_input_remark_of_weights(&files->slurm);
	}
	take_policy(input);
	job_conf_set_banks(&files->conf, &sources->jobs);
	input->tree_name = files->pass_name ? files->pass_name : sources->tree_name;
}

/* Returns whether the jobs go by the scopes of a FiguresFile, as no fathom.conf says otherwise. */
static bool has_recorded_scopes(const struct job_input *input)
{
	return input->files.pass.scope_count && !input->files.conf.is_given &&
	       !site_input_further(&input->files);
}

void job_input_read(struct job_input *input, const struct input_names *names,
		    const struct accounting_rules *rules)
{
	struct job_conf *conf = &input->files.conf;
	struct sources *sources = &input->files.sources;

	sources->rules = *rules;
	conf->conf = conf_standard();
	for (size_t i = 0; i < names->from_count; i++)
		read_one(names->from[i], names->format, input);
	finish_sources(input);
	job_conf_check(conf, &sources->jobs, sources->settings.of[SITE_SLURM_CONF].count
					     ? "slurm.conf" : sources->jobs_name);
	if (sources->jobs_name && has_recorded_scopes(input))
		job_conf_remark_of_scopes(&input->files.pass, input->tree_name);
}

void job_input_drop_hidden(const struct job_input *input, struct job_list *list,
			   bool (*keeps)(const void *context, const struct job_row *row),
			   const void *context)
{
	size_t kept = 0;

	if (!input->is_of_snapshot)
		return;
	for (size_t i = 0; i < list->count; i++) {
		const struct job_row *row = &list->row[i];
		bool is_shown = row->state == JOB_STATE_PENDING && !row->is_held && !row->waits;

		if (is_shown || keeps(context, row))
			list->row[kept++] = *row;
	}
	list->count = kept;
	job_list_rank_places(list);
}

/* ---- the rule ------------------------------------------------------------------------- */

const struct snapshot *job_input_tree(const struct job_input *input)
{
	if (input->files.pass_name)
		return &input->files.pass.in_force.snapshot;
	return input->tree_name ? input->files.sources.snapshot : NULL;
}

/* Sets policy and settings of a rule, and what is recorded under them. scope: of which it is the
 * rule; NULL: of the main tree. site: what the files say; changed: keys of slurm.conf, see struct
 * site_rule. */
static void choose_policy(const struct job_input *input, const struct wanted_rule *wanted,
			  const struct recorded_scope *scope, const struct site_conf *site,
			  const bool *changed, struct job_rule *rule)
{
	struct site_rule from = { .conf = site, .changed = changed,
				  .fathom_conf = site_input_further(&input->files),
				  .in_force = &input->files.pass.in_force,
				  .shadow = &input->files.pass.shadow };
	const struct recorded *recorded;

	if (scope)
		from = site_rule_of_scope(&from, scope);
	rule->policy = wanted->policy ? wanted->policy : site_rule_policy(&from);
	rule->settings = site_rule_settings(&from, rule->policy);
	job_sets_apply_rest(wanted->sets, rule);
	recorded = site_rule_recorded(&from, rule->policy);
	if (!recorded)
		return;
	rule->snapshot = &recorded->snapshot;
	/* recorded factors are right only for the recorded policy and settings */
	if ((!wanted->policy || recorded == from.shadow) &&
	    !memcmp(&rule->settings, &recorded->settings, sizeof(rule->settings)))
		rule->recorded_factor = recorded->columns.factor;
}

void job_input_set_scopes(const struct job_input *input, struct job_rule *rule)
{
	if (has_recorded_scopes(input))
		job_conf_set_recorded_scopes(&input->files.pass, rule);
	else
		job_conf_set_scopes(&input->files.conf, &input->files.sources.jobs.settings,
				    input->files.pass_name ? &input->files.pass : NULL, rule);
}

void job_input_tree_rule(const struct job_input *input, const struct wanted_rule *wanted,
			 const struct recorded_scope *scope, struct job_rule *rule)
{
	const struct fathom_conf *conf = &input->files.conf.conf;
	struct job_settings changed = site_conf_slurm_of(&input->files.sources.settings);
	struct site_conf site = { .fathom = *conf };

	if (input->of_scope)
		site = *input->of_scope;
	site.slurm = input->files.sources.jobs.settings;
	job_sets_apply_slurm(wanted->sets, &changed);
	*rule = (struct job_rule){
		.snapshot = job_input_tree(input),
		.formula = wanted->formula, .scale = conf->value[CONF_FORMULA_SCALE],
	};
	if (!input->files.pass_name && wanted->usage < input->files.sources.snapshot_count)
		rule->snapshot += wanted->usage;
	if (!rule->formula && *conf->formula)
		rule->formula = conf->formula;
	choose_policy(input, wanted, scope, &site, changed.given, rule);
}

void job_input_rule(const struct job_input *input, const struct wanted_rule *wanted,
		    struct job_rule *rule)
{
	job_input_tree_rule(input, wanted, NULL, rule);
	job_input_set_scopes(input, rule);
	if (!rule->formula)
		job_sets_refuse_scale(wanted->sets);
}

const char *job_input_formula_key(const struct job_input *input, const char *option)
{
	return option ? "--formula" : input->files.conf.formula_key;
}

void refuse_jobs(const struct job_input *input, const char *option, const struct job_rule *rule,
		 const struct fathom_error *error)
{
	if (!rule->formula || error->code == ENOMEM)
		refuse("%s", error->text);
	refuse("%s: %s", job_input_formula_key(input, option), error->text);
}
