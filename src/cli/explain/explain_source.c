/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what fathom explain explains: files as fathom prio does, the running cluster as fathom
 * shares and fathom prio do. Evaluates the tree of the scope that --scope names or that has the
 * job's partition; without one the main tree. find_question() in command_explain.c has the order of
 * calls.
 */
#include "cli/explain/explain_command.h"

#include "conf/conf_policy.h"
#include "memory/need_names.h"
#include "policy/pbs_unknown_group.h"

#include <stdlib.h>

void explain_source_name_jobs(struct explain_options *options)
{
	bool of_files = options->files.from_count;

	for (size_t i = 0; i < 2 && options->who[i] && is_job_id(options->who[i]); i++)
		if (strpbrk(options->who[i], "_+"))
			options->who[i] = need_print("%lld", (long long)job_id_number(
								options->who[i], of_files));
}

/* Returns the policy of --policy; NULL: the option is not given. */
static const struct fathom_policy *wanted_policy(const struct explain_options *options)
{
	return options->policies.count ? options->policies.policy[0] : NULL;
}

/* Returns whether WHO is a job. */
static bool asks_jobs(const struct explain_options *options)
{
	return options->who[0] && is_job_id(options->who[0]);
}

/* Returns whether the overview is asked for: the caller's accounts and jobs. */
static bool asks_overview(const struct explain_options *options)
{
	return !options->who[0];
}

/* Returns whether priorities are those that a cluster computed: it runs, or there is a snapshot of
 * it. Those of other files are computed here. */
static bool is_of_cluster(const struct explain_source *source)
{
	return source->live || source->input.is_of_snapshot;
}

/* ---- files ----------------------------------------------------------------------------- */

/* Refuses files that lack what is asked for, and a fathom.conf that explain cannot use. */
static void check_files(const struct explain_source *source, const struct explain_options *options)
{
	const struct job_input *input = &source->input;
	const struct job_conf *conf = &input->files.conf;
	bool has_jobs = input->files.sources.jobs_name;

	if (input->printed_name && !has_jobs)
		refuse("--from: %s has priorities as they were computed; explain needs the jobs "
		       "themselves", input->printed_name);
	/* for users, a snapshot has figures that the cluster computed by its fathom.conf */
	if (asks_jobs(options) || asks_overview(options) || !conf->is_of_snapshot)
		job_conf_refuse(conf);
	if (conf->conf.scope_count && !conf->is_of_snapshot)
		refuse("%s:%u: Scope: explain looks at one tree, must have none; fathom prio "
		       "evaluates scopes", conf->name, conf->conf.scope->line);
	if (asks_jobs(options) && !has_jobs)
		refuse("%s: no file has jobs; give --from with a file of jobs", options->who[0]);
	if (!asks_jobs(options) && !input->tree_name)
		refuse("%s: no file has a tree; give --from with one",
		       options->who[0] ? options->who[0] : "explain");
}

/* Returns what the options say of the rule by which files are evaluated. */
static struct wanted_rule wanted_rule_of(const struct explain_options *options)
{
	return (struct wanted_rule){ .policy = wanted_policy(options),
				     .formula = options->formula, .sets = &options->sets };
}

/* Reads all files, and finds the rule by which their jobs are evaluated. */
static void read_files(struct explain_source *source, const struct explain_options *options)
{
	const struct wanted_rule wanted = wanted_rule_of(options);
	struct site_input *files = &source->input.files;
	bool is_given = !isnan(options->half_life);
	struct sets sets = { .half_life = { options->half_life }, .half_life_count = is_given };
	/* the half-life of --set, which options->sets does not have */
	struct accounting_rules rules = accounting_rules_of(&sets, EVERY_STATE);

	rules.system[0] = system_rule_of(wanted.policy, &options->sets);
	files->sources.scope = options->scope;
	job_input_read(&source->input, &options->files, &rules);
	check_files(source, options);
	source->pass = &files->pass;
	source->name = source->input.tree_name;
	source->jobs_name = files->sources.jobs_name;
	source->half_life = conf_value(&files->conf.conf, CONF_HALF_LIFE,
				       *files->sources.rules.half_life);
	source->reset_period = site_input_reset_period(&files->slurm);
	job_sets_apply_slurm(&options->sets, &files->sources.jobs.settings);
	job_input_rule(&source->input, &wanted, &source->rule);
	if (source->rule.snapshot && !source->rule.recorded_factor)
		pbs_unknown_group_set_shares(source->rule.snapshot, source->rule.policy,
					     &source->rule.settings);
}

/* Returns whether the job of a row is WHO or WHOM, or in an overview the caller's, for
 * job_input_drop_hidden(). context: the options. */
static bool is_asked_for(const void *context, const struct job_row *row)
{
	const struct explain_options *options = context;

	if (asks_overview(options))
		return row->user && !strcmp(row->user, explain_caller());
	for (size_t i = 0; i < 2 && options->who[i]; i++)
		if (strtoll(options->who[i], NULL, 10) == row->id)
			return true;
	return false;
}

/* Makes the list of jobs of the files, with their priorities. */
static void evaluate_jobs(struct explain_source *source, const struct explain_options *options)
{
	struct jobs *jobs = &source->input.files.sources.jobs;
	char text[1][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 1, .text = text };
	struct fathom_error error;

	if (job_list_evaluate(&source->list, jobs, &source->rule, &warnings, &error))
		refuse_jobs(&source->input, options->formula, &source->rule, &error);
	source->question.list = &source->list;
	for (size_t i = 0; i < warnings.count; i++)
		remark("%s: %s", job_input_formula_key(&source->input, options->formula),
		       warnings.text[i]);
	job_input_drop_hidden(&source->input, &source->list, is_asked_for, options);
}

/* ---- the running cluster ------------------------------------------------------------------ */

/* Makes the list of jobs of the running cluster, with their priorities. live_jobs_read() chooses
 * them: WHO and WHOM, for an overview the caller's. */
static void read_live_jobs(struct explain_source *source, const struct explain_options *options)
{
	struct live_jobs_wanted wanted = { .names = options->policies.count ||
						   options->sets.count || asks_overview(options),
					   .own = asks_overview(options) };
	struct job_rule rule = { .snapshot = &source->live->snapshot,
				 .policy = wanted_policy(options) };
	bool by_policy = false;		/* not needed here */

	for (size_t i = 0; i < 2 && options->who[i]; i++)
		wanted.job[wanted.job_count++] = strtoll(options->who[i], NULL, 10);
	live_jobs_read(&source->list, wanted);
	source->question.list = &source->list;
	job_list_rank_places(&source->list);
	job_list_sum(&source->list);
	job_list_find_formula(&source->list);
	/* replaces the factors of the rows by those under --policy and --set */
	if (rule.policy || options->sets.count)
		recompute_live_jobs(&source->list, source->live, &options->sets, &rule, &by_policy);
}

/* Reads the tree of the running cluster, and jobs if the question or the overview is about jobs. */
static void read_cluster(struct explain_source *source, const struct explain_options *options)
{
	size_t count;

	need_libslurm("--from");
	if (options->formula)
		refuse("--formula: needs --from; slurmctld does not send all values that a formula "
		       "may use");
	/* the local cluster; with the texts that tell TRES if usage is shown in columns */
	source->live = live_read(NULL, asks_overview(options) || options->units != UNITS_COUNT,
				 &count);
	if (source->live->remark)
		remark("%s", source->live->remark);
	source->pass = &source->live->pass;
	source->name = source->jobs_name = source->live->cluster;
	source->half_life = source->live->half_life;
	source->reset_period = source->live->reset_period;
	source->tree.is_partial = !source->live->whole;
	source->tree.hidden = source->live->placeholder;
	if (asks_jobs(options) || asks_overview(options))
		read_live_jobs(source, options);
}

/* ---- both --------------------------------------------------------------------------------- */

/* Returns who gives fair share no weight, "FILE:LINE" or the cluster; NULL: it has one, or none is
 * given. */
static const char *weightless_by(const struct explain_source *source)
{
	const struct sources *sources = &source->input.files.sources;
	const struct job_settings *settings = &sources->jobs.settings;
	const struct site_pair *pair = site_settings_find(&sources->settings, SITE_SLURM_CONF,
							  "PriorityWeightFairshare");

	if (source->live)
		return source->live->is_weightless && !source->live->is_unknown ? source->name
										: NULL;
	if (!settings->given[JOB_WEIGHT_FAIRSHARE] || settings->value[JOB_WEIGHT_FAIRSHARE] > 0)
		return NULL;
	return pair ? site_origin_text(&pair->origin) : source->jobs_name;
}

/* Says that fair share has no weight, unless the policy or a formula needs none, or --policy asks
 * for ranks that the site does not have. */
static void report_no_weight(const struct explain_source *source,
			     const struct explain_options *options)
{
	const struct fathom_policy *policy = source->live ? source->pass->in_force.policy
							  : source->rule.policy;
	bool has_formula = source->live ? source->live->has_formula : source->rule.formula != NULL;
	const char *by = weightless_by(source);

	if (by && !has_formula && !options->policies.count && !policy_is_first_come(policy) &&
	    fathom_policy_priority_rule(policy) != FATHOM_FLUX_PRIORITY)
		remark("%s: fair share has no weight, so that it does not decide which jobs go "
		       "first", by);
}

void explain_source_read(struct explain_source *source, const struct explain_options *options)
{
	bool is_of_files = options->files.from_count;

	(is_of_files ? read_files : read_cluster)(source, options);
	if (!isnan(options->half_life))
		source->half_life = options->half_life;
	report_no_weight(source, options);
	if (is_of_files && (asks_jobs(options) || (asks_overview(options) && source->jobs_name)))
		evaluate_jobs(source, options);
}

/* ---- scopes ------------------------------------------------------------------------------- */

/* Returns whether a scope has the partition. partition: NULL: not known, so that it does not. */
static bool has_partition(const struct recorded_scope *scope, const char *partition)
{
	for (size_t i = 0; partition && i < scope->head.partition_count; i++)
		if (!strcmp(scope->head.partition[i], partition))
			return true;
	return false;
}

/* Returns name i; NULL: there are no more. For struct name_list. context: the struct
 * numbered_names. */
static const char *known_at(const void *context, size_t i)
{
	const struct numbered_names *known = context;

	return i < known->count ? known->name[i] : NULL;
}

/* Returns the partitions that the source knows: those of associations that may be seen, those that
 * files describe or their jobs ask for, and those of scopes. */
static struct numbered_names *known_partitions(const struct explain_source *source)
{
	const struct snapshot *snapshot = source->evaluated.snapshot;
	const struct jobs *jobs = &source->input.files.sources.jobs;
	struct numbered_names *known = need_names();

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++)
		if (!explain_is_hidden(&source->tree, node) && snapshot_partition(snapshot, node))
			need_name(known, snapshot_partition(snapshot, node));
	for (size_t i = 0; i < jobs->partition_count; i++)
		need_name(known, jobs_text(jobs, jobs->partition[i].name));
	for (size_t i = 0; i < jobs->requested_count; i++)
		need_name(known, jobs_text(jobs, jobs->requested[i].name));
	for (size_t scope = 0; scope < source->pass->scope_count; scope++)
		for (size_t i = 0; i < source->pass->scope[scope].head.partition_count; i++)
			need_name(known, source->pass->scope[scope].head.partition[i]);
	return known;
}

/* Refuses a partition that is unknown: no association, job or scope has it, nor has the running
 * cluster. Of a snapshot none is refused: its slurm.conf may have more partitions. */
static void check_partition(const struct explain_source *source, const char *partition)
{
	/* is_any: suggests a partition even if none is similar */
	struct suggestion near = { partition, strlen(partition), .is_any = true };
	struct numbered_names *known = known_partitions(source);
	struct queue_list queues = { 0 };

	if (source->live && numbered_names_find(known, partition) == NAME_INDEX_NONE)
		live_partitions_read(&queues);
	for (size_t i = 0; i < queues.count; i++)
		need_name(known, queues.queue[i].name);
	if (!source->input.is_of_snapshot &&
	    !names_have((struct name_list){ known_at, known }, false, &near))
		refuse_unknown(&near, "--partition: %s has no partition '%s'", source->name,
			       partition);
}

/* Returns the scope of this name by which jobs of files are evaluated; NULL: there is none. */
static const struct job_scope *scope_of_jobs(const struct explain_source *source, const char *name)
{
	for (size_t i = 0; i < source->rule.scope_count; i++)
		if (!strcmp(source->rule.scope[i].name, name))
			return &source->rule.scope[i];
	return NULL;
}

/* Returns whether jobs in a partition go by a scope. Those of files do not if they are evaluated by
 * the main tree there. partition: NULL: not known. */
static bool orders_jobs_in(const struct explain_source *source, const struct recorded_scope *scope,
			   const char *partition)
{
	return has_partition(scope, partition) &&
	       (is_of_cluster(source) || scope_of_jobs(source, scope->head.name));
}

/* Sets source->scope: the scope of --scope, else that of the job, else that of the partition; NULL:
 * the main tree, also if the job's scope is not in the pass. Refuses a --scope that does not
 * exist. */
static void choose_scope(struct explain_source *source, const struct explain_options *options,
			 const char *partition, const struct job_row *row)
{
	const char *of_job = row ? row->scope : NULL;
	const char *name = options->scope ? options->scope : of_job;
	/* of the scope that has the files' tree; NULL: that is the main tree */
	const char *of_tree = sources_scope_name(&source->input.files.sources);

	for (size_t i = 0; i < source->pass->scope_count && !source->scope; i++) {
		const struct recorded_scope *scope = &source->pass->scope[i];

		if (name ? !strcmp(scope->head.name, name)
			 : orders_jobs_in(source, scope, partition))
			source->scope = scope;
	}
	if (options->scope && row && !of_tree)
		refuse("--scope: is about users; the partition of a job has its scope");
	if (options->scope && !source->scope && !of_tree)
		refuse("--scope: %s has no scope '%s' that you may see", source->name,
		       options->scope);
}

/* ---- the tree ----------------------------------------------------------------------------- */

/* Sets the recorded figures of a tree if they are figures of its policy and settings. */
static void use_recorded(struct evaluated_tree *tree, const struct recorded *recorded)
{
	if (tree->policy == recorded->policy &&
	    !memcmp(&tree->settings, &recorded->settings, sizeof(tree->settings)))
		tree->recorded = recorded->columns;
}

/* Sets the policy and settings of a tree: those of --policy and --set, else those that are
 * recorded. Sets the recorded figures if they were computed by just this policy and these settings.
 * recorded: what is recorded under the wanted policy, else in force, see recorded_under(). */
static void apply_options(struct evaluated_tree *tree, const struct explain_options *options,
			  const struct recorded *recorded)
{
	const struct fathom_policy *wanted = wanted_policy(options);
	struct job_rule rule = { .policy = wanted ? wanted : recorded->policy };

	rule.settings = rule.policy == recorded->policy ? recorded->settings :
							  fathom_settings_standard(rule.policy);
	job_sets_apply_rest(&options->sets, &rule);
	tree->policy = rule.policy;
	tree->settings = rule.settings;
	use_recorded(tree, recorded);
}

/* Returns the recorded figures of the shadow policy if `policy` is that one alone, else those of
 * the policy in force. policy: NULL: the one in force. */
static const struct recorded *recorded_under(const struct recorded_pass *pass,
					     const struct fathom_policy *policy)
{
	return policy && policy == pass->shadow.policy && policy != pass->in_force.policy
		       ? &pass->shadow : &pass->in_force;
}

/* Gives the tree the usage that FiguresFile has for the policy, if it has it. slurmctld sends whole
 * seconds: with these, a change that is tried here may swap two which the next pass does not swap.
 * Returns whether the tree now has usage that only this policy counts. */
static bool give_recorded_usage(const struct evaluated_tree *tree, const struct recorded *recorded)
{
	if (tree->policy != recorded->policy || !recorded->columns.usage)
		return false;
	recorded_give_usage(tree->snapshot->tree, recorded->columns.usage);
	return fathom_policy_has_own_usage(tree->policy);
}

/* The functions that choose a tree set the snapshot, policy, settings and recorded figures of
 * source->evaluated. */

/* Chooses the files' main tree, by the rule by which their jobs are evaluated. */
static void choose_file_tree(struct explain_source *source)
{
	const struct job_rule *rule = &source->rule;
	const struct recorded *recorded = recorded_under(source->pass, rule->policy);

	source->evaluated = (struct evaluated_tree){
		.snapshot = rule->snapshot, .policy = rule->policy, .settings = rule->settings };
	if (source->input.files.pass_name && rule->recorded_factor)
		source->evaluated.recorded = recorded->columns;
	if (source->input.is_of_snapshot)
		give_recorded_usage(&source->evaluated, recorded);
}

/* Chooses the running cluster's main tree. Sets is_fixed if the policy needs sums that are not
 * known, so that factors cannot be computed anew. */
static void choose_live_tree(struct explain_source *source, const struct explain_options *options)
{
	struct evaluated_tree *tree = &source->evaluated;
	const struct recorded *recorded = recorded_under(source->pass, wanted_policy(options));
	bool knows_usage;

	tree->snapshot = &source->live->snapshot;
	tree->is_partial = !source->live->whole;
	apply_options(tree, options, recorded);
	if (source->is_first_come) {
		tree->policy = policy_first_come();
		tree->settings = fathom_settings_standard(tree->policy);
		tree->recorded = (struct json_columns){ 0 };
	}
	if (tree->is_partial && !tree->recorded.factor)
		refuse("--policy, --set: PrivateData hides usage on which factors under other "
		       "rules depend");
	knows_usage = source->live->has_file && give_recorded_usage(tree, recorded);
	source->question.is_fixed =
		!knows_usage && !recompute_knows_sums(source->live, tree->policy);
}

/* Chooses a scope's tree. That comes from FiguresFile, which hides nothing. of_jobs: the scope by
 * which jobs are evaluated, and so is the tree; NULL: files and options choose policy and settings,
 * as for fathom shares. */
static void choose_scope_tree(struct explain_source *source, const struct explain_options *options,
			      const struct job_scope *of_jobs)
{
	struct evaluated_tree *tree = &source->evaluated;
	const struct recorded *recorded = &source->scope->recorded;
	const struct wanted_rule wanted = wanted_rule_of(options);
	struct job_rule rule;

	source->tree.hidden = NULL;
	source->tree.is_partial = false;
	tree->snapshot = &recorded->snapshot;
	if (source->live) {
		apply_options(tree, options, recorded);
		return;
	}
	if (of_jobs && of_jobs->snapshot) {
		tree->policy = of_jobs->policy;
		tree->settings = of_jobs->settings;
	} else {
		job_input_tree_rule(&source->input, &wanted, source->scope, &rule);
		tree->policy = rule.policy;
		tree->settings = rule.settings;
	}
	use_recorded(tree, recorded);
}

/* Chooses the tree of the question. row: the job's; NULL: the question is about users. */
static void choose_tree(struct explain_source *source, const struct explain_options *options,
			const struct job_row *row)
{
	bool by_jobs = row || !(options->scope || is_of_cluster(source));

	if (source->scope)
		choose_scope_tree(source, options,
				  by_jobs ? scope_of_jobs(source, source->scope->head.name) : NULL);
	else if (source->live)
		choose_live_tree(source, options);
	else
		choose_file_tree(source);
}

/* ---- the formula -------------------------------------------------------------------------- */

/* Gives the records of the question's jobs the fair-share factors that slurmctld sent, if the tree
 * has no factor for them, or the policy places jobs, so that a job's factor is not its user's. */
static void use_sent_factors(struct explain_source *source)
{
	const struct explain_question *question = &source->question;
	const double *factor = source->evaluated.columns.factor;
	struct jobs *jobs = &source->input.files.sources.jobs;

	for (size_t i = 0; i < question->count; i++) {
		const struct job_row *row = &source->list.row[question->row[i]];
		size_t node = question->node[i];
		bool is_in_tree = node != EXPLAIN_NONE && !isnan(factor[node]);

		/* without a weight, or beside a priority that was set, no factor is sent */
		if (source->list.weight[JOB_FAIRSHARE] == 0 || row->is_set ||
		    (is_in_tree && !source->list.has_places))
			continue;
		for (size_t job = 0; job < jobs->job_count; job++)
			if (jobs->job[job].id == row->id)
				jobs->job[job].fairshare = row->plain.factor[JOB_FAIRSHARE];
	}
}

/* Makes by_formula: reads the records of the running cluster's jobs into the input, and computes
 * their priorities by the formula. Sets source->rule. */
static void evaluate_formula(struct explain_source *source)
{
	struct jobs *jobs = &source->input.files.sources.jobs;
	char text[1][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 1, .text = text };
	struct fathom_error error;

	live_job_records_with_settings(jobs, &source->list);
	use_sent_factors(source);
	source->rule = (struct job_rule){
		.snapshot = source->evaluated.snapshot, .policy = source->evaluated.policy,
		.settings = source->evaluated.settings,
		.recorded_factor = source->evaluated.columns.factor,
		.figures = &source->evaluated.columns,
		.formula = source->list.formula, .scale = source->list.formula_scale,
	};
	if (job_list_evaluate(&source->by_formula, jobs, &source->rule, &warnings, &error))
		refuse("Formula: %s", error.text);
}

/* Returns whether the formula, with the values of now, gives the pair the order that slurmctld's
 * priorities have. false also if the formula has no value for one of them. */
static bool has_same_order(const struct explain_source *source)
{
	const struct explain_question *question = &source->question;
	const struct job_row *sent = source->list.row, *computed = source->by_formula.row;

	for (size_t i = 0; i < question->count; i++)
		if (isnan(computed[question->formula_row[i]].formula))
			return false;
	return explain_job_is_ahead(&sent[question->row[0]], &sent[question->row[1]]) ==
	       explain_job_is_ahead(&computed[question->formula_row[0]],
				    &computed[question->formula_row[1]]);
}

/* Sets formula_values and formula_row of the question, unless not all of its rows have values of
 * the formula; and has_fixed_priorities. */
static void find_values(struct explain_source *source)
{
	struct explain_question *question = &source->question;
	const struct job_list *list = source->live ? &source->by_formula : &source->list;
	bool has_all = true;

	/* by_formula stays empty for a scope: its formula has values of the main tree, too */
	if (source->live && !source->scope)
		evaluate_formula(source);
	for (size_t i = 0; i < question->count; i++) {
		const struct job_row *row =
			explain_row_like(list, &source->list.row[question->row[i]]);

		has_all &= row && row->input;
		question->formula_row[i] = row ? (size_t)(row - list->row) : 0;
	}
	if (!has_all) {
		/* priorities of files are computed here, so that they can be computed again */
		question->has_fixed_priorities = is_of_cluster(source);
		return;
	}
	question->formula_values = list;
	question->has_fixed_priorities =
		source->live && question->count == 2 && !has_same_order(source);
}

/* ---- the question ------------------------------------------------------------------------- */

void explain_source_evaluate(struct explain_source *source, const struct explain_options *options,
			     const char *partition, const struct job_row *row)
{
	struct evaluated_tree *tree = &source->evaluated;
	double reset;

	choose_scope(source, options, partition, row);
	source->is_first_come = !source->scope && row && row->is_first_come;
	if (source->live || source->input.tree_name) {
		choose_tree(source, options, row);
		pbs_unknown_group_set_shares(tree->snapshot, tree->policy, &tree->settings);
		evaluated_tree_evaluate(tree);
		source->tree.tree = tree;
		source->question.tree = &source->tree;
		if (!row && options->partition)
			check_partition(source, options->partition);
	}
	reset = explain_source_resets(source, 0).end;
	source->question.decay =
		(struct usage_decay){ source->half_life, isinf(reset) ? 0 : reset };
}

/* Sets is_never_started of the question's rows, as slurmctld does not say which jobs the policy
 * never starts. A job whose priority an administrator has set starts even without shares. */
static void find_never_started(struct explain_source *source)
{
	const struct explain_question *question = &source->question;

	for (size_t i = 0; i < question->count; i++) {
		struct job_row *row = &source->list.row[question->row[i]];

		if (question->node[i] != EXPLAIN_NONE)
			row->is_never_started =
				!row->is_set &&
				!fathom_result_may_run(source->evaluated.result,
						       &source->evaluated.settings,
						       question->node[i]);
	}
}

double explain_source_time(const struct explain_source *source)
{
	const struct snapshot *snapshot = source->evaluated.snapshot;
	const struct jobs *jobs = &source->input.files.sources.jobs;

	if (source->question.tree && snapshot->has_time)
		return (double)snapshot->time;
	return jobs->has_time ? (double)jobs->time : NAN;
}

struct reset_period explain_source_resets(const struct explain_source *source, double seconds)
{
	double time = explain_source_time(source);
	struct reset_period period = { -INFINITY, INFINITY };

	if (fabs(time + seconds) < MOST_TIME)	/* not NAN */
		period = local_reset_period(source->reset_period, time + seconds);
	return (struct reset_period){ period.begin - time, period.end - time };
}

void explain_source_ask(struct explain_source *source)
{
	struct explain_question *question = &source->question;

	if (question->list && source->list.formula)
		find_values(source);
	/* places in the order of dispatch depend on what all jobs ask for */
	question->has_fixed_fairshare = is_of_cluster(source) && source->list.has_places;
	/* a cluster's rows are added up from their terms, as its list may lack jobs; only the value
	 * of a formula must be computed from the jobs */
	if (question->formula_values ? !question->has_fixed_priorities : !is_of_cluster(source)) {
		question->jobs = &source->input.files.sources.jobs;
		question->rule = &source->rule;
	}
	if (source->live && question->list && !question->is_fixed)
		find_never_started(source);
}
