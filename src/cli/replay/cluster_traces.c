/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays of several clusters share one tree and one time. This file reads the options --cluster,
 * joins the associations of all traces in one tree, moves the jobs of all traces to the time of the
 * trace that begins first, and gives them in one order.
 */
#include "cli/replay/replay_command.h"

#include <stdlib.h>

/* ---- the option --------------------------------------------------------------------------- */

/* A word of the option with a number, such as cpus=64. */
struct cluster_key {
	const char *name;
	size_t offset;		/* of the number in struct cluster_option */
	double least, most;
	bool is_whole;		/* fractions are refused */
};

static const struct cluster_key keys[] = {
	{ "cpus", offsetof(struct cluster_option, cpus), 1, UINT32_MAX, true },
	{ "nodes", offsetof(struct cluster_option, nodes), 1, UINT32_MAX, true },
	{ "weight", offsetof(struct cluster_option, weight), 0, 1e6, false },
};

#define KEYS (sizeof(keys) / sizeof(*keys))

/* Stores a word such as "cpus=64" or "from=FILE"; refuses a wrong one. */
static void set_key(const struct option_row *row, struct cluster_option *cluster, const char *word)
{
	size_t length = strcspn(word, "="), i = 0;
	const char *value = word + length + 1;
	bool is_number, is_in_range;
	double number;
	char *end;

	if (!strncmp(word, "from=", length + 1) && *value) {	/* + 1: the '=' */
		cluster->from = need_text(value);
		return;
	}
	while (i < KEYS && (strlen(keys[i].name) != length || strncmp(keys[i].name, word, length)))
		i++;
	if (i == KEYS)
		refuse("--%s: '%s', must be cpus=NUMBER, nodes=NUMBER, weight=NUMBER or from=FILE",
		       row->name, word);
	number = strtod(value, &end);
	is_number = *value && !value[strspn(value, "0123456789.")] && !*end;
	is_in_range = number >= keys[i].least && number <= keys[i].most;
	if (!is_number || !is_in_range || (keys[i].is_whole && number != floor(number)))
		refuse("--%s: '%s', must be a %snumber from %g to %.0f", row->name, word,
		       keys[i].is_whole ? "whole " : "", keys[i].least, keys[i].most);
	*(double *)((char *)cluster + keys[i].offset) = number;
}

void cluster_traces_option(const struct option_row *row, void *member, const char *value)
{
	struct cluster_list *list = member;
	size_t length = strcspn(value, "=");
	struct cluster_option cluster = { .name = need_copy((struct piece){ value, length }),
					  .weight = 1 };
	char *trace, *comma;

	if (!length || !value[length])
		refuse("--%s: '%s', must be NAME=TRACE[,cpus=NUMBER][,nodes=NUMBER]"
		       "[,weight=NUMBER][,from=FILE]", row->name, value);
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->at[i].name, cluster.name))
			refuse("--%s: %s: given twice", row->name, cluster.name);
	if (!strcmp(cluster.name, CLUSTER_OF_ALL))
		refuse("--%s: %s: is the name of all clusters together, must be another",
		       row->name, cluster.name);
	trace = need_text(value + length + 1);
	/* a comma without '=' behind it belongs to the file's name */
	while ((comma = strrchr(trace, ',')) && strchr(comma, '=')) {
		set_key(row, &cluster, comma + 1);
		*comma = '\0';
	}
	cluster.trace = trace;
	NEED_ADD(list->at, list->count, cluster);
}

/* ---- one tree ------------------------------------------------------------------------------ */

/* Adds the cluster's own slurm.conf to its copy of the files of all. */
static void add_file(struct input_names *files, const struct cluster_option *option)
{
	if (files->from_count == MOST_FILES)
		refuse("--cluster: %s: more than %d files; give fewer by --from", option->name,
		       MOST_FILES);
	files->from[files->from_count++] = option->from;
}

/* Refuses from= of a file that is not a slurm.conf: a tree and fathom.conf are for all clusters. */
static void check_file(const struct replay_site *site, const struct cluster_option *option)
{
	if (!site->slurm_name || strcmp(site->slurm_name, option->from))
		refuse("--cluster: %s: from=%s: is no slurm.conf; --from gives what is for all "
		       "clusters", option->name, option->from);
}

/* Reads the site of a cluster and opens its trace. */
static void begin_cluster(struct traced_cluster *cluster, const struct replay_options *options,
			  const struct cluster_option *option)
{
	cluster->options = *options;
	cluster->options.trace = option->trace;
	if (option->cpus > 0)
		cluster->options.cpus = option->cpus;
	if (option->nodes > 0)
		cluster->options.nodes = option->nodes;
	if (option->from)
		add_file(&cluster->options.files, option);
	replay_input_begin(&cluster->input, &cluster->options);
	if (option->from)
		check_file(&cluster->input.site, option);
	cluster->plan = (struct replay_plan){
		.options = &cluster->options, .input = &cluster->input, .cluster_count = 1,
		.name = option->name, .weight = option->weight,
	};
}

/* Refuses what may not differ between slurm.conf of clusters. */
static void check_alike(const struct traced_cluster *cluster, const struct traced_cluster *first,
			const struct replay_options *options)
{
	const struct replay_site *site = &cluster->input.site, *other = &first->input.site;
	const char *key = NULL;

	if (!options->candidates.policies.count &&
	    replay_policy_in_force(site) != replay_policy_in_force(other))
		key = "policy; give --policy";
	else if (site->calc_period != other->calc_period)
		key = "PriorityCalcPeriod; give --calc-period";
	else if (site->reset_period != other->reset_period)
		key = REPLAY_RESET_PERIOD;
	if (key)
		refuse("--cluster: %s and %s must have the same %s", first->plan.name,
		       cluster->plan.name, key);
}

/* Gives a cluster the tree that all have in common. index: by association of its trace, the index
 * of the same association in the trace of `whole`. */
static void join_cluster(struct traced_cluster *cluster, const struct replay_input *whole,
			 const uint32_t *index)
{
	struct replay_input *input = &cluster->input;
	size_t count = input->trace.associations.count;

	input->snapshot = whole->snapshot;
	input->measured = whole->measured;
	input->assumes_shares = whole->assumes_shares;
	input->shares = whole->shares;
	input->trace.found = need_zeros(count, sizeof(*input->trace.found));
	for (size_t i = 0; i < count; i++) {
		input->node[i] = whole->node[index[i]];
		if (whole->trace.found)
			input->trace.found[i] = whole->trace.found[index[i]];
	}
}

/* Makes the tree of the associations of all traces. The files that the first cluster has read are
 * those of all. */
static void join_trees(struct traced_cluster *cluster, struct replay_input *whole,
		       const struct replay_options *options)
{
	size_t count = options->clusters.count;
	uint32_t **index = need_zeros(count, sizeof(*index));

	*whole = cluster->input;
	/* without its jobs; trace_join() wants the name */
	whole->trace = (struct trace){ .input = cluster->input.trace.input,
				       .format = cluster->input.trace.format };
	for (size_t i = 0; i < count; i++)
		index[i] = trace_join(&whole->trace, &cluster[i].input.trace);
	whole->node = need_zeros(whole->trace.associations.count, sizeof(*whole->node));
	replay_input_find_nodes(whole, options);
	for (size_t i = 0; i < count; i++)
		join_cluster(&cluster[i], whole, index[i]);
}

/* ---- one time ------------------------------------------------------------------------------ */

/* Adds a job of a trace to those of its cluster; for trace_read(). context: the cluster. */
static void keep_job(const struct trace_job *job, void *context)
{
	struct traced_cluster *cluster = context;

	NEED_ADD(cluster->job, cluster->jobs, replay_input_job(&cluster->input, job));
}

/* Returns when the trace that begins first does, in seconds since 1970; NAN: no trace tells it.
 * Refuses traces of which only some tell it. */
static double first_epoch(const struct traced_cluster *cluster, size_t count)
{
	double first = NAN;

	for (size_t i = 0; i < count; i++) {
		const struct trace *trace = &cluster[i].input.trace, *other = &cluster->input.trace;
		bool lacks = isnan(trace->epoch);

		if (lacks != isnan(other->epoch))
			refuse("%s: does not say when it begins (UnixStartTime), but %s does; give "
			       "--align, and both begin at the same time",
			       (lacks ? trace : other)->input.name,
			       (lacks ? other : trace)->input.name);
		first = fmin(first, trace->epoch);	/* of NAN and a number, the number */
	}
	return first;
}

/* Lets the trace of all have the sums of the traces, and their names. */
static void sum_up(struct trace *whole, const struct traced_cluster *cluster, size_t count)
{
	whole->epoch = cluster->input.trace.epoch;
	for (size_t i = 0; i < count; i++) {
		const struct trace *trace = &cluster[i].input.trace;

		whole->input.name = i ? need_print("%s, %s", whole->input.name, trace->input.name)
				      : trace->input.name;
		whole->jobs += trace->jobs;
		whole->cpus += trace->cpus;
		whole->out_of_order += trace->out_of_order;
		whole->eligible_later += trace->eligible_later;
		for (size_t reason = 0; reason < TRACE_SKIP_COUNT; reason++)
			whole->skipped[reason] += trace->skipped[reason];
	}
}

/* Lets all jobs of a cluster be submitted, and start, so many seconds later. */
static void move_jobs(struct traced_cluster *cluster, double seconds)
{
	for (size_t i = 0; i < cluster->jobs; i++) {
		cluster->job[i].submit += seconds;
		cluster->job[i].start += seconds;
	}
}

/* Moves the jobs of all clusters to one time, whose second 0 is that of the trace that begins
 * first. With --align it is that of the first cluster, and the first jobs of all are submitted with
 * its first job. */
static void share_time(struct traced_cluster *cluster, const struct replay_options *options)
{
	const bool aligns = options->aligns;
	const size_t count = options->clusters.count;
	double epoch = aligns ? cluster->input.trace.epoch : first_epoch(cluster, count);
	double begin = cluster->job->submit;

	for (size_t i = 0; i < count; i++) {
		double *own_epoch = &cluster[i].input.trace.epoch;

		if (aligns)
			move_jobs(&cluster[i], begin - cluster[i].job->submit);
		else if (!isnan(*own_epoch))
			move_jobs(&cluster[i], *own_epoch - epoch);
		*own_epoch = epoch;
	}
}

struct traced_cluster *cluster_traces_open(struct replay_input *whole,
					   const struct replay_options *options)
{
	const size_t count = options->clusters.count;
	struct traced_cluster *cluster = need_zeros(count, sizeof(*cluster));

	for (size_t i = 0; i < count; i++)
		begin_cluster(&cluster[i], options, &options->clusters.at[i]);
	for (size_t i = 1; i < count; i++)
		check_alike(&cluster[i], cluster, options);
	join_trees(cluster, whole, options);
	for (size_t i = 0; i < count; i++) {
		struct trace *trace = &cluster[i].input.trace;

		trace_read(trace, keep_job, &cluster[i]);
		if (!cluster[i].jobs)
			replay_refuse_no_jobs(trace);
	}
	share_time(cluster, options);
	sum_up(&whole->trace, cluster, count);
	return cluster;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Returns the cluster whose next job is submitted first; of several, the first one. taken: by
 * cluster: how many of its jobs are taken. plan->cluster_count: no jobs are left. */
static size_t next_cluster(const struct replay_plan *plan, const size_t *taken)
{
	size_t next = plan->cluster_count;
	double earliest = INFINITY;

	for (size_t i = 0; i < plan->cluster_count; i++) {
		const struct traced_cluster *cluster = &plan->cluster[i];

		if (taken[i] == cluster->jobs || !(cluster->job[taken[i]].submit < earliest))
			continue;
		earliest = cluster->job[taken[i]].submit;
		next = i;
	}
	return next;
}

void cluster_traces_read(const struct replay_plan *plan,
			 void (*take)(const struct replay_job *job, size_t cluster, void *context),
			 void *context)
{
	size_t *taken = need_zeros(plan->cluster_count, sizeof(*taken)), i;

	while ((i = next_cluster(plan, taken)) < plan->cluster_count)
		take(&plan->cluster[i].job[taken[i]++], i, context);
	need_free(taken);
}

double cluster_traces_begin(const struct replay_plan *plan)
{
	double begin = INFINITY;

	for (size_t i = 0; i < plan->cluster_count; i++)
		begin = fmin(begin, plan->cluster[i].job->submit);
	return begin;
}
