/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the files of --from, and finds the rule for their jobs. read_one() recognises a file; jobs
 * and trees of most formats go into a struct sources first, which adds up usage when all files are
 * read; take_sources() then moves them. A FiguresFile or snapshot goes into `pass`.
 */
#include "cli/jobs/command_jobs.h"

#include "format/printed/printed_priorities.h"
#include "format/slurm/slurm_cluster.h"
#include "format/slurm_conf.h"
#include "format/slurm_time.h"
#include "format/snapshot_parts.h"
#include "format/unknown_format.h"
#include "lint/lint.h"

#include <errno.h>

/* ---- reading -------------------------------------------------------------------------- */

/* Reads the trees of a FiguresFile, or those of a snapshot. */
static void read_pass(const struct format *format, struct document *file, struct job_input *input)
{
	input_check_content(file, format->summary);
	document_load_rest(file);
	format->read_recorded(file, &input->pass);
	remark_left_out(file);
	input->has_pass = true;
	input->tree_name = file->name;
}

/* Refuses a file that has a tree, if another file had one. */
static void refuse_second_tree(struct document *file, const struct job_input *input,
			       const struct sources *sources)
{
	const char *first = input->has_pass ? input->tree_name : sources->tree_name;

	if (first)
		wrong_at(file, 0, "only one file may have a tree; %s already does", first);
}

/* Reads a file of jobs, of a tree, or of settings. A second tree is refused here, a second file of
 * jobs by sources_add(). tree_format: of --format, or NULL. format: recognised, or NULL. */
static void read_format(const struct format *tree_format, const struct format *format,
			struct document *file, struct job_input *input, struct sources *sources)
{
	/* --format is about the tree: a file of jobs keeps its format */
	if (tree_format && !(format && format->holds & HOLDS_JOBS))
		format = tree_format;
	if (!format)
		wrong_format(file, "fathom.conf, or a format of jobs, trees or settings; fathom "
				   "convert --list lists them, --format names one");
	if (format->read && (input->has_pass || format->read_recorded))
		refuse_second_tree(file, input, sources);
	if (format->read_recorded)
		read_pass(format, file, input);
	else
		sources_add(sources, format, file);
}

/* Returns the slurm.conf of a snapshot; an empty one if it has none. */
static struct slurm_conf read_slurm_conf(struct document *file)
{
	const char *text = snapshot_read_text(file, "slurm_conf");
	struct slurm_conf conf = { 0 };

	if (text)
		slurm_conf_read_text(&conf, need_print("%s: slurm_conf", file->name), text);
	return conf;
}

/* Uses the half-life in the slurm.conf of a snapshot, if it has one. */
static void read_half_life(struct document *file, struct sources *sources)
{
	const struct slurm_conf conf = read_slurm_conf(file);
	const struct slurm_pair *pair = slurm_conf_find(&conf, "PriorityDecayHalfLife");
	struct fathom_error error;
	double half_life;

	if (!pair)
		return;
	if (slurm_time_parse(pair->value, &half_life, &error))
		wrong_at(file, 0, "slurm_conf: %s: %s", pair->key, error.text);
	sources_use_half_life(sources, half_life, HALF_LIFE_OF_SNAPSHOT);
}

void job_input_read_conf(const struct format *format, struct document *file, struct job_conf *conf,
			 struct sources *sources)
{
	const char *text = format->read_conf(file);

	read_half_life(file, sources);
	/* a fathom.conf of its own file counts instead */
	if (text && !conf->is_given)
		job_conf_read_within(conf, file->name, text);
}

/* Reads all parts of a cluster's snapshot. */
static void read_cluster(const struct format *format, struct document *file,
			 struct job_input *input, struct sources *sources)
{
	refuse_second_tree(file, input, sources);
	read_pass(format, file, input);
	sources_add_jobs(sources, format, file);
	input->is_of_snapshot = true;
	input->slurm = read_slurm_conf(file);
	job_input_read_conf(format, file, &input->conf, sources);
}

/* Reads rows of jobs with the priorities that fathom prio --json has printed. */
static void read_printed(struct document *file, struct job_input *input)
{
	if (input->printed_name)
		wrong_at(file, 0, "only one file may have priorities");
	printed_priorities_read(file, &input->printed);
	remark_left_out(file);
	input->jobs_name = input->printed_name = file->name;
}

/* Reads a file of --from, by what it is. tree_format: of --format, or NULL. */
static void read_one(const char *name, const struct format *tree_format, struct job_input *input,
		     struct sources *sources)
{
	const struct format *format;
	struct document file;

	open_input(&file, name);
	format = format_recognize(&file);
	if (job_conf_recognize(tree_format ? tree_format : format, &file))
		job_conf_read(&input->conf, &file, sources);
	else if (printed_priorities_recognize(&file))
		read_printed(&file, input);
	else if (format && format_is_whole(format))
		read_cluster(format, &file, input, sources);
	else
		read_format(tree_format, format, &file, input, sources);
	document_clear(&file);
}

/* Uses the settings that files of other systems stand for in fathom.conf, unless a fathom.conf is
 * given; that of a snapshot gives way. Those with scopes or resource groups are dropped if the tree
 * is of no scope: they need usage that it does not have, see job_conf_refuse(). */
static void take_policy(const struct sources *sources, struct job_input *input)
{
	const struct site_settings *settings = &sources->settings;
	const struct site_pair *formula = site_settings_find(settings, SITE_FATHOM_CONF, "Formula");
	struct site_conf *site;

	if (!settings->of[SITE_FATHOM_CONF].count ||
	    (input->conf.is_given && !input->conf.is_of_snapshot))
		return;
	site = need_object(sizeof(*site));
	*site = site_conf_of(settings);
	if (sources_choose_scope(sources, site))
		input->of_scope = site;
	else if (!site->fathom.scope_count && !site->fathom.resources.count)
		job_conf_take(&input->conf, &site->fathom, formula);
}

/* Says that a slurm.conf has weights which slurmctld ignores, as fathom lint finds out; they count
 * here all the same. A file without AccountingStorageTRES may be a part of the site's, so that
 * nothing tells which TRES the cluster has. */
static void remark_of_ignored_weights(const struct site_settings *settings)
{
	const struct slurm_conf slurm = slurm_conf_of_settings(settings);
	const struct lint_site site = { .slurm = &slurm };
	const struct lint_findings findings = lint_run(&site);

	if (!site_settings_find(settings, SITE_SLURM_CONF, "AccountingStorageTRES"))
		return;
	for (size_t i = 0; i < findings.count; i++) {
		const struct lint_finding *finding = &findings.finding[i];

		if (strcmp(finding->row->code, "tres-weight-unknown") != 0)
			continue;
		remark("%s:%u: %s: %s, so that slurmctld ignores all of these weights; here they "
		       "count", finding->file, finding->line, finding->key, finding->text);
		return;
	}
}

/* Moves jobs, tree and settings from the sources to the input, when all files are read. The usage
 * of jobs completes a tree without usage; a tree with usage stays as it is. */
static void take_sources(struct sources *sources, struct job_input *input)
{
	const bool tree_wins = true;

	if (input->conf.is_given)
		sources->conf = &input->conf.conf;
	sources_finish(sources, tree_wins);
	remark_left_out(&sources->records);
	input->half_life = *sources->rules.half_life;
	if (sources->jobs_name) {
		input->jobs = sources->jobs;
		input->has_jobs = true;
		input->jobs_name = sources->jobs_name;
	} else {
		input->jobs.settings = job_settings_standard();
	}
	/* files of settings complete policy, weights, partitions and nodes of the jobs */
	slurm_cluster_complete(&input->jobs, &sources->settings);
	remark_of_ignored_weights(&sources->settings);
	job_conf_set_banks(&input->conf, &input->jobs);
	input->has_slurm_conf = sources->settings.of[SITE_SLURM_CONF].count;
	if (input->has_slurm_conf)
		input->slurm = slurm_conf_of_settings(&sources->settings);
	input->further = site_conf_slurm_of(&sources->settings);
	input->fathom_conf = job_conf_further(&input->conf, &sources->settings);
	take_policy(sources, input);
	input->tree_scope = sources_scope_name(sources);
	if (!sources->tree_name || input->has_pass)
		return;
	memcpy(input->snapshot, sources->snapshot, sizeof(sources->snapshot));
	input->snapshot_count = sources->snapshot_count;
	input->tree_name = sources->tree_name;
}

/* Returns whether the jobs go by the scopes of a FiguresFile, as no fathom.conf says otherwise. */
static bool has_recorded_scopes(const struct job_input *input)
{
	return input->pass.scope_count && !input->conf.is_given && !input->fathom_conf;
}

void job_input_read(struct job_input *input, const struct input_names *names,
		    const struct accounting_rules *rules)
{
	struct sources sources = { .rules = *rules, .scope = input->scope };

	input->conf.conf = conf_standard();
	for (size_t i = 0; i < names->from_count; i++)
		read_one(names->from[i], names->format, input, &sources);
	take_sources(&sources, input);
	/* again: take_sources() may have found a configuration in files of settings */
	job_conf_set_banks(&input->conf, &input->jobs);
	job_conf_check(&input->conf, &input->jobs,
		       input->has_slurm_conf ? "slurm.conf" : input->jobs_name);
	if (input->has_jobs && has_recorded_scopes(input))
		job_conf_remark_of_scopes(&input->pass, input->tree_name);
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
	if (input->has_pass)
		return &input->pass.in_force.snapshot;
	return input->tree_name ? input->snapshot : NULL;
}

/* Sets policy and settings of a rule, and what is recorded under them. scope: of which it is the
 * rule; NULL: of the main tree. site: what the files say; changed: keys of slurm.conf, see struct
 * site_rule. */
static void choose_policy(const struct job_input *input, const struct wanted_rule *wanted,
			  const struct recorded_scope *scope, const struct site_conf *site,
			  const bool *changed, struct job_rule *rule)
{
	struct site_rule from = { .conf = site, .changed = changed,
				  .fathom_conf = input->fathom_conf,
				  .in_force = &input->pass.in_force,
				  .shadow = &input->pass.shadow };
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
		job_conf_set_recorded_scopes(&input->pass, rule);
	else
		job_conf_set_scopes(&input->conf, &input->jobs.settings,
				    input->has_pass ? &input->pass : NULL, rule);
}

void job_input_tree_rule(const struct job_input *input, const struct wanted_rule *wanted,
			 const struct recorded_scope *scope, struct job_rule *rule)
{
	const struct fathom_conf *conf = &input->conf.conf;
	struct job_settings changed = input->further;
	struct site_conf site = { .fathom = *conf };

	if (input->of_scope)
		site = *input->of_scope;
	site.slurm = input->jobs.settings;
	job_sets_apply_slurm(wanted->sets, &changed);
	*rule = (struct job_rule){
		.snapshot = job_input_tree(input),
		.formula = wanted->formula, .scale = conf->value[CONF_FORMULA_SCALE],
	};
	if (wanted->usage < input->snapshot_count)
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
	return option ? "--formula" : input->conf.formula_key;
}

void refuse_jobs(const struct job_input *input, const char *option, const struct job_rule *rule,
		 const struct fathom_error *error)
{
	if (!rule->formula || error->code == ENOMEM)
		refuse("%s", error->text);
	refuse("%s: %s", job_input_formula_key(input, option), error->text);
}
