/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what is replayed: the site's files, the trace or the jobs of a cluster, and the tree. */
#include "cli/replay/replay_command.h"

#include "cli/command_snapshot.h"
#include "cli/progress.h"
#include "format/accounting/accounting.h"
#include "jobs/need_trees.h"
#include "memory/need_names.h"
#include "policy/pbs_unknown_group.h"

/* ---- the tree of --from ------------------------------------------------------------------- */

/* Drops the usage of a tree: it is of another time than the first submission, so that it only
 * counts with --initial. */
static void clear_usage(struct fathom_tree *tree)
{
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		fathom_tree_set_own_usage(tree, node, 0);
		for (size_t i = 0; i < fathom_resource_count(); i++)
			if (fathom_tree_has_resource(tree, (enum fathom_resource)i))
				fathom_tree_set_own_resource(tree, node, (enum fathom_resource)i,
							     0, NULL);
	}
	fathom_tree_settle(tree);
}

/* Takes the tree of the files, if they have one. Refuses files that hold neither a tree nor
 * anything else for a replay. */
static void take_tree(struct replay_input *input, const struct replay_options *options)
{
	struct sources *sources = &input->site.files.sources;
	const bool has_settings = input->site.slurm_name || input->site.files.conf.name ||
				  input->site.jobs_name;
	const bool has_usage = sources->tree_name || sources->usage_name;

	if (!has_usage && options->with_usage)
		refuse("--initial: no file of --from has usage");
	if (options->with_usage && sources->adds_up && options->candidates.sets.half_life_count > 1)
		refuse("--set: half_life: given several times, but --initial takes usage of "
		       "records, %s, by one; give one, or a file of fathom usage",
		       sources->usage_name);
	if (!has_usage && !has_settings)
		refuse("--from: %s has no tree", options->files.from[0]);
	if (!sources->tree_name)
		return;
	input->snapshot = sources->snapshot[0];
	sources->tree_name = NULL;	/* the tree is the input's now */
	if (!options->with_usage)
		clear_usage(input->snapshot.tree);
}

/* ---- nodes of associations ----------------------------------------------------------------- */

/* Gives the tree that was made of the trace the usage of sources->usage, a file of --from without
 * shares. Remarks how much of the file's usage is of users whom the tree lacks. */
static void give_usage(struct replay_input *input)
{
	struct sources *sources = &input->site.files.sources;
	char strays[128];

	sources->strays =
		accounted_usage_give(&input->snapshot, sources->usage, &sources->usage->rule);
	sources_say_strays(sources, strays, sizeof(strays));
	if (*strays)
		remark("%s: %s", sources->usage_name, strays);
}

/* Makes the tree of the associations of the trace; with --initial it has the usage of a file. */
static void make_trace_tree(struct replay_input *input, const struct replay_options *options)
{
	trace_tree(&input->trace, &input->snapshot);
	for (size_t i = 0; i < input->trace.associations.count; i++)
		input->node[i] = (uint32_t)fathom_tree_node_of_row(input->snapshot.tree, i);
	if (options->with_usage && input->site.files.sources.usage_name)
		give_usage(input);
}

/* ---- shares of scopes ---------------------------------------------------------------------- */

/* Makes the trees of scopes with UserShares. */
static void make_scope_shares(struct replay_input *input)
{
	const struct fathom_conf *conf = &input->site.conf;
	struct fathom_error error;

	input->shares = need_zeros(conf->scope_count, sizeof(*input->shares));
	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_scope *scope = &conf->scope[i];

		if (scope->user_shares &&
		    scope_shares_create(&input->shares[i], &scope->assignments,
					&conf->user_groups, &input->snapshot,
					fathom_tree_count(input->snapshot.tree), &error))
			refuse("%s: UserShares: %s", replay_conf_place(&input->site, scope->line),
			       error.text);
	}
}

/* ---- the tree by which runs are measured --------------------------------------------------- */

/* Makes input->measured, with the shares that the site's files give PBS's group "unknown". */
static void make_measured(struct replay_input *input)
{
	const struct replay_site *site = &input->site;

	input->measured = need_fork(&input->snapshot);
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);
		struct fathom_settings
			settings = replay_settings_by(site, &site->settings, policy);

		pbs_unknown_group_set_shares(input->measured, policy, &settings);
	}
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Returns whether jobs of the site may be charged for memory or GPUs, under any policy. A scope
 * with any setting counts as one that charges for them. */
static bool charges_tres(const struct replay_site *site)
{
	for (size_t i = 0; i < site->conf.scope_count; i++)
		if (site->conf.scope[i].pair_count)
			return true;
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);
		const struct fathom_settings
			settings = replay_settings_by(site, &site->settings, policy),
			standard = fathom_settings_standard(policy);

		if (strcmp(settings.formula, standard.formula) ||
		    replay_gpu_weight(policy, &settings) > 0)
			return true;
	}
	return false;
}

/* Returns whether the site's weights or formulas look at the QOS or TRES that jobs ask for. */
static bool site_wants_requests(const struct replay_site *site)
{
	return site->settings.value[JOB_WEIGHT_QOS] > 0 || site->settings.tres_count ||
	       *site->conf.formula || charges_tres(site);
}

bool replay_needs_starts(const struct word_list *schedulers)
{
	bool needs = false;

	for (size_t i = 0; i < schedulers->count; i++)
		needs |= replay_schedulers[schedulers->which[i]]->keeps_starts;
	return needs;
}

/* Opens the trace for the site's machine and partitions, and reads its jobs for the first time. */
static void open_trace(struct replay_input *input, const struct replay_options *options)
{
	const struct site_partitions *partitions = &input->partitions;
	const struct trace_source wanted = {
		.name = options->trace, .format = options->files.format,
		.cpus = options->cpus > 0 ? options->cpus : partitions->cpus,
		.site = partitions->trace.count ? &partitions->trace : NULL,
		.tree = input->snapshot.tree ? &input->snapshot : NULL,
		.watch = progress_of_input,
		.needs_starts = replay_needs_starts(&options->schedulers),
		.wants_requests = options->wants_requests || site_wants_requests(&input->site),
	};

	progress_begin();
	trace_open(&input->trace, &wanted);
}

_Noreturn void replay_refuse_no_jobs(const struct trace *trace)
{
	const char *reasons = "";

	for (size_t i = 0; i < TRACE_SKIP_COUNT; i++)
		if (trace->skipped[i])
			reasons = need_print("%s%s %s", reasons, *reasons ? ";" : ": left out:",
					     trace_skipped_words(trace, (enum trace_skip)i));
	refuse("%s: no job that can be replayed%s", trace->input.name, reasons);
}

void replay_input_of_cluster(struct replay_input *input, const struct replay_options *options)
{
	const bool is_live = !options->files.from_count, with_nodes = true;
	struct document cluster;

	if (is_live)
		cluster = take_snapshot_as_input();
	input->trace.input.name = is_live ? cluster.name : options->files.from[0];
	replay_site_read(&input->site, &options->files, &options->candidates.sets,
			 is_live ? &cluster : NULL);
	if (!input->site.jobs_name || !input->site.files.sources.tree_name)
		refuse("%s: is no snapshot of a cluster, must be one, see fathom-snapshot(1)",
		       input->trace.input.name);
	site_partitions_create(&input->partitions, &input->site, with_nodes);
	site_scopes_find(&input->partitions, &input->site);
	take_tree(input, options);
	input->trace.cpus = input->partitions.cpus;
	if (!(input->trace.cpus > 0))
		refuse("%s: does not tell the CPUs of the cluster", input->trace.input.name);
	/* a snapshot tells all that a trace may lack */
	input->trace.requests = need_names();
	input->trace.names_qos = input->trace.names_tres = input->knows_associations = true;
	make_scope_shares(input);
	make_measured(input);
}

uint32_t replay_input_note_request(struct replay_input *input, const struct job *job)
{
	const struct jobs *jobs = &input->site.jobs;
	const char *qos = jobs_text(jobs, job->qos_name);
	/* as in struct trace: the QOS, a newline, and TRES such as cpu=4,mem=8000 */
	const char *text = need_print("%s\n", qos ? qos : "");

	for (size_t i = 0; i < job->tres.count; i++) {
		const struct tres_amount *amount = &jobs->amount[job->tres.first + i];

		text = need_print("%s%s%s=%llu", text, i ? "," : "",
				  jobs_text(jobs, jobs->tres[amount->tres]),
				  (unsigned long long)amount->count);
	}
	return (uint32_t)need_name(input->trace.requests, text);
}

void replay_input_begin(struct replay_input *input, const struct replay_options *options)
{
	input->trace.input.name = options->trace;
	replay_site_read(&input->site, &options->files, &options->candidates.sets, NULL);
	if (options->calc_period > 0)
		input->site.calc_period = options->calc_period;
	/* --cpus takes the place of the site's nodes */
	site_partitions_create(&input->partitions, &input->site, !(options->cpus > 0));
	site_scopes_find(&input->partitions, &input->site);
	if (options->files.from_count)
		take_tree(input, options);
	open_trace(input, options);
	if (!input->trace.jobs)
		replay_refuse_no_jobs(&input->trace);
	if (input->trace.first_submit + options->warm_up > input->trace.last_submit)
		refuse("--warm-up: %s: the last job is submitted %.0f seconds after the first, so "
		       "none would count; give fewer seconds", input->trace.input.name,
		       input->trace.last_submit - input->trace.first_submit);
	input->node = need_zeros(input->trace.associations.count, sizeof(*input->node));
}

void replay_input_find_nodes(struct replay_input *input, const struct replay_options *options)
{
	struct association_rule rule;

	if (input->snapshot.tree) {
		rule = sources_rule(&input->site.files.sources);
		trace_find_nodes(&input->trace, &input->snapshot, &rule, input->node);
	} else {
		make_trace_tree(input, options);
		input->assumes_shares = true;
	}
	make_scope_shares(input);
	make_measured(input);
}

/* Refuses a trace if the tree has no association of its jobs. */
static void check_associations(struct trace *trace)
{
	for (size_t i = 0; i < trace->associations.count; i++)
		if (!trace->found || trace->found[i] != NOT_FOUND)
			return;
	trace->skipped[TRACE_NO_ASSOCIATION] = trace->jobs;
	replay_refuse_no_jobs(trace);
}

void replay_input_open(struct replay_input *input, const struct replay_options *options)
{
	replay_input_begin(input, options);
	replay_input_find_nodes(input, options);
	check_associations(&input->trace);
}

/* Returns the priority of a job's bank under flux: that of the trace, else of fathom.conf, else
 * 0. */
static double bank_priority(const struct replay_input *input, const struct trace_job *job)
{
	size_t node = input->node[job->association];

	if (job->bank_priority != 0)	/* the trace tells one */
		return job->bank_priority;
	return conf_banks_priority(&input->site.conf.banks,
				   snapshot_account(&input->snapshot, node), 0);
}

struct replay_job replay_input_job(const struct replay_input *input, const struct trace_job *job)
{
	return (struct replay_job){
		.number = job->number, .submit = job->eligible, .run = job->run,
		.start = job->eligible + job->wait,
		.estimate = job->requested > job->run ? job->requested : job->run,
		.limit = job->requested,
		.billing = job->billing, .cpu_use = job->cpu_use,
		.queue = job->queue_priority != 0 ? job->queue_priority : NAN,
		.bank = bank_priority(input, job),
		.node = input->node[job->association],
		/* where the trace tells no nodes, each CPU counts as one */
		.cpus = job->cpus, .nodes = job->nodes ? job->nodes : job->cpus,
		.partition = job->partition, .request = job->request,
	};
}
