/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a row for each job and partition. For each row: find the job's association in the
 * tree, get its fair-share factor, compute the factors before and after weighting, and the
 * priority by the policy's rule or by a formula. A held job gets priority 0, and a job that
 * the policy never starts gets 1.
 */
#include "evaluate/job_evaluate.h"

#include "core/error.h"
#include "evaluate/formula_extras.h"
#include "evaluate/job_associations.h"
#include "evaluate/job_places.h"
#include "evaluate/job_queues.h"
#include "evaluate/scheme_results.h"
#include "priority/formula_inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KILOBYTES 1024	/* in a megabyte, the unit of Slurm's memory */
#define OPENPBS_NOT_ELIGIBLE 1
#define OPENPBS_ELIGIBLE 2

/* ---- what all jobs share ----------------------------------------------------------- */

/* The jobs of a file, and all that their rows are computed from. */
struct job_batch {
	const struct jobs *jobs;
	const struct job_rule *rule;
	struct job_list *list;
	struct job_associations associations;
	struct job_queues queues;
	struct scheme_results schemes;
	struct job_places places;
	/* with the weights, and with 1 in place of each weight that is not 0 */
	struct fathom_priority_config config, plain;
	double *plain_tres_weight;
	double highest_factor, highest_qos, highest_assoc;	/* that priorities are divided by */
	uint64_t *job_tres, *partition_tres;	/* of the current row */
	struct fathom_flux_weights flux;
	bool is_flux;
	/* for a formula */
	struct fathom_formula *formula;
	struct fathom_formula_tally tally;
	char **name;		/* further names in it: TRES, then the policy's columns */
	double *extra;		/* their values */
	size_t *input_index;	/* of the names in the formula, see fathom_formula_uses() */
	size_t mem, gpu;	/* which TRES they are; tres_count: none */
};

static int evaluate_tree(struct job_batch *batch, struct fathom_error *error)
{
	const struct job_rule *rule = batch->rule;

	if (job_queues_create(&batch->queues, batch->jobs, rule, batch->list->room, error) ||
	    scheme_results_create(&batch->schemes, rule, error))
		return -1;
	return rule->snapshot ? job_associations_create(&batch->associations, rule->snapshot, error)
			      : 0;
}

static const struct job_queue *queue_of_row(const struct job_batch *batch,
					    const struct job_row *row)
{
	return &batch->queues.queue[batch->queues.of_row[row - batch->list->row]];
}

/* Returns the scheme that the row's partition goes by. */
static const struct scheme_result *scheme_of(const struct job_batch *batch,
					     const struct job_row *row)
{
	return &batch->schemes.item[queue_of_row(batch, row)->scheme];
}

static void set_weights(struct job_batch *batch)
{
	const double *value = batch->jobs->settings.value;
	double *weight = batch->list->weight;

	weight[JOB_AGE] = value[JOB_WEIGHT_AGE];
	weight[JOB_ASSOC] = value[JOB_WEIGHT_ASSOC];
	weight[JOB_FAIRSHARE] = value[JOB_WEIGHT_FAIRSHARE];
	weight[JOB_SIZE] = value[JOB_WEIGHT_JOB_SIZE];
	weight[JOB_PARTITION] = value[JOB_WEIGHT_PARTITION];
	weight[JOB_QOS] = value[JOB_WEIGHT_QOS];
	batch->list->max_age = value[JOB_MAX_AGE];
	batch->list->increases_only = batch->jobs->settings.increases_only;
}

/* Returns weights as slurmctld has them, whole numbers. */
static struct fathom_weights whole_weights(const double *weight)
{
	return (struct fathom_weights){
		.age = (uint32_t)weight[JOB_AGE], .assoc = (uint32_t)weight[JOB_ASSOC],
		.fairshare = (uint32_t)weight[JOB_FAIRSHARE],
		.job_size = (uint32_t)weight[JOB_SIZE],
		.partition = (uint32_t)weight[JOB_PARTITION], .qos = (uint32_t)weight[JOB_QOS],
	};
}

static void make_configs(struct job_batch *batch)
{
	const struct jobs *jobs = batch->jobs;
	const struct job_list *list = batch->list;
	double one[JOB_FACTOR_COUNT];

	batch->config = (struct fathom_priority_config){
		.weight = whole_weights(list->weight), .tres_weight = list->tres_weight,
		.tres_count = list->tres_count, .max_age = jobs->settings.value[JOB_MAX_AGE],
		.flags = jobs->settings.flags, .cluster_nodes = (uint32_t)jobs->nodes,
		.cluster_cpus = (uint32_t)jobs->cpus,
	};
	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++)
		one[i] = list->weight[i] != 0;
	for (size_t i = 0; i < list->tres_count; i++)
		batch->plain_tres_weight[i] = list->tres_weight[i] != 0;
	batch->plain = batch->config;
	batch->plain.weight = whole_weights(one);
	batch->plain.tres_weight = batch->plain_tres_weight;
}

/* Finds the greatest priorities, which count as factor 1. */
static void find_highest(struct job_batch *batch)
{
	const struct jobs *jobs = batch->jobs;

	for (size_t i = 0; i < jobs->partition_count; i++)
		batch->highest_factor = fmax(batch->highest_factor, jobs->partition[i].job_factor);
	for (size_t i = 0; i < jobs->qos_count; i++)
		batch->highest_qos = fmax(batch->highest_qos, jobs->qos[i].priority);
	batch->highest_assoc = jobs->highest_assoc;
	for (size_t i = 0; i < jobs->job_count; i++)
		batch->highest_assoc = fmax(batch->highest_assoc, jobs->job[i].assoc_priority);
}

/* ---- the formula ----------------------------------------------------------------------------- */

/* Names what a formula may use beyond the fields. */
static int name_extras(struct job_batch *batch, struct fathom_error *error)
{
	size_t count = batch->list->tres_count + fathom_policy_column_count(batch->rule->policy);

	batch->name = formula_extras_create(batch->jobs, batch->rule->policy, error);
	batch->extra = calloc(count + 1, sizeof(*batch->extra));
	if (batch->name && !batch->extra)
		fathom_error_no_memory(error);
	return batch->name && batch->extra ? 0 : -1;
}

static size_t find_tres(const struct job_list *list, const char *name)
{
	size_t i = 0;

	while (i < list->tres_count && strcasecmp(list->tres_name[i], name))
		i++;
	return i;
}

/* Lists the names that occur in the formula. */
static int list_inputs(struct job_batch *batch, struct fathom_error *error)
{
	struct job_list *list = batch->list;
	size_t fields = fathom_field_count(), count = fields;

	while (batch->name[count - fields])
		count++;
	batch->input_index = calloc(count, sizeof(*batch->input_index));
	list->input_name = calloc(count, sizeof(*list->input_name));
	if (!batch->input_index || !list->input_name)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < count; i++) {
		const char *name = i < fields ? fathom_field_at(i)->name : batch->name[i - fields];

		if (!fathom_formula_uses(batch->formula, i))
			continue;
		if (job_list_keep(list, name, &list->input_name[list->input_count], error))
			return -1;
		batch->input_index[list->input_count++] = i;
	}
	list->input = calloc(list->room * list->input_count + 1, sizeof(*list->input));
	return list->input ? 0 : fathom_error_no_memory(error);
}

static int formula_create(struct job_batch *batch, struct fathom_warnings *warnings,
			  struct fathom_error *error)
{
	if (!batch->rule->formula)
		return 0;
	if (name_extras(batch, error))
		return -1;
	batch->mem = find_tres(batch->list, "mem");
	batch->gpu = find_tres(batch->list, "gres/gpu");
	batch->list->formula = batch->rule->formula;
	batch->list->formula_scale = batch->rule->scale;
	batch->formula = fathom_formula_create(batch->rule->formula, &(struct fathom_formula_names){
						(const char *const *)batch->name,
						fathom_policy_with_column, "give --policy " },
					    warnings, error);
	return batch->formula ? list_inputs(batch, error) : -1;
}

/* Returns a column of the main policy's own. */
static const double *column_of(const struct job_batch *batch, size_t index)
{
	const struct json_columns *figures = batch->rule->figures;

	return figures ? figures->column[index]
		       : fathom_result_column(batch->schemes.item->result, index);
}

/* Sets the values of what name_extras() has named. Columns are those of the main policy, also for
 * jobs of scopes. */
static void fill_extras(struct job_batch *batch, size_t node)
{
	size_t tres = batch->list->tres_count;

	for (size_t i = 0; i < tres; i++)
		batch->extra[i] = (double)batch->job_tres[i];
	for (size_t i = 0; i < fathom_policy_column_count(batch->rule->policy); i++) {
		bool is_known = node != JOB_NO_NODE;

		batch->extra[tres + i] =
			is_known ? column_of(batch, i)[node] : NAN;
	}
}

static double tres_count_of(const struct job_batch *batch, size_t tres)
{
	return tres < batch->list->tres_count ? (double)batch->job_tres[tres] : 0;
}

/* Returns the formula's value. */
static double by_formula(struct job_batch *batch, const struct fathom_job *job,
			 const struct fathom_queue *queue, size_t node, const struct job_row *row)
{
	struct fathom_formula_job formula_job = {
		.config = &batch->config, .job = job, .queue = queue, .extra = batch->extra,
		.accrue_type = job->age >= 0 ? OPENPBS_ELIGIBLE : OPENPBS_NOT_ELIGIBLE,
		.memory = tres_count_of(batch, batch->mem) * KILOBYTES,
		.gpus = tres_count_of(batch, batch->gpu),
	};
	const struct json_columns *figures = batch->rule->figures;
	const struct fathom_result *result = scheme_of(batch, row)->result;
	bool is_told = figures && !queue_of_row(batch, row)->scheme;

	if (node != JOB_NO_NODE) {
		formula_job.norm_shares = is_told ? figures->norm_shares[node]
						  : fathom_result_norm_shares(result)[node];
		formula_job.effective_usage =
			is_told ? figures->effective_usage[node]
				: fathom_result_effective_usage(result)[node];
	}
	fill_extras(batch, node);
	return fathom_formula_value(batch->formula, &formula_job, &batch->tally);
}

/* Returns whether a name of the formula is a field or column of the tree that is unknown. */
static bool is_unknown(const struct job_batch *batch, const struct fathom_job *job, size_t node,
		       size_t index)
{
	size_t fields = fathom_field_count(), tres = batch->list->tres_count;
	bool has_none = node == JOB_NO_NODE && batch->associations.snapshot;

	if (index >= fields)
		return has_none && index >= fields + tres;
	if (fathom_field_at(index)->of == FATHOM_OF_FACTOR)
		return isnan(job->fairshare);
	return has_none && fathom_field_at(index)->of != FATHOM_OF_JOB;
}

/* Keeps the values that the formula was computed from. Returns whether all are known. */
static bool keep_inputs(struct job_batch *batch, const struct fathom_job *job, size_t node,
			struct job_row *row)
{
	struct job_list *list = batch->list;
	double *input = list->input + (size_t)(row - list->row) * list->input_count;
	bool is_whole = true;

	row->input = input;
	for (size_t i = 0; i < list->input_count; i++) {
		size_t index = batch->input_index[i];

		input[i] = is_unknown(batch, job, node, index)
				   ? NAN : formula_input(batch->formula, index);
		is_whole &= !isnan(input[i]);
	}
	return is_whole;
}

static void set_formula(struct job_batch *batch, const struct fathom_job *job,
			const struct fathom_queue *queue, size_t node, struct job_row *row)
{
	struct fathom_formula_tally before = batch->tally;
	double value = by_formula(batch, job, queue, node, row);

	row->has_no_association = !keep_inputs(batch, job, node, row);
	if (row->has_no_association) {
		batch->tally = before;
		value = NAN;
	}
	row->value = row->formula = value;
	if (!isnan(value))
		row->formula = fathom_formula_priority(value, batch->rule->scale);
	row->priority = row->formula;
}

/* ---- one job in one partition -------------------------------------------------------- */

static void fill_tres(const struct job_batch *batch, const struct tres_amounts *amounts,
		      uint64_t *tres)
{
	memset(tres, 0, batch->list->tres_count * sizeof(*tres));
	for (size_t i = 0; i < amounts->count; i++) {
		const struct tres_amount *amount = &batch->jobs->amount[amounts->first + i];

		tres[amount->tres] = amount->count;
	}
}

static double normalised(double priority, double highest)
{
	return highest > 0 ? priority / highest : 0;
}

static struct fathom_queue queue_of(struct job_batch *batch, const struct job *job,
				    const struct jobs_partition *partition)
{
	const struct jobs *jobs = batch->jobs;
	double qos = job->qos == JOBS_NONE ? 0 : jobs->qos[job->qos].priority;
	struct fathom_queue queue = { .qos_priority = qos,
				      .qos_norm = normalised(qos, batch->highest_qos) };

	if (!partition)
		return queue;
	fill_tres(batch, &partition->tres, batch->partition_tres);
	queue.partition_tres = batch->partition_tres;
	queue.partition_factor = partition->job_factor;
	queue.partition_norm = normalised(partition->job_factor, batch->highest_factor);
	return queue;
}

/* Returns the factor that the association has in the scheme of the row's partition. In a scope that
 * is served queue first it orders jobs by the partition's priority before it orders users. */
static double factor_of(const struct job_batch *batch, size_t node, const struct job_row *row)
{
	const struct job_queue *queue = queue_of_row(batch, row);
	size_t classes = batch->queues.class_count[queue->scheme];
	double factor;

	if (!queue->scheme && batch->rule->recorded_factor)
		return batch->rule->recorded_factor[node];
	factor = fathom_result_factor(scheme_of(batch, row)->result)[node];
	return classes ? fathom_queue_first_factor(factor, queue->class_of, classes) : factor;
}

/* Returns the fair-share factor: the file's, else that of the row's place, else that of the job's
 * association in the tree. NAN: the tree lacks the association. row: that of the job, with its
 * place. */
static double fairshare_of(const struct job_batch *batch, const struct job *job, size_t node,
			   const struct job_row *row)
{
	if (!isnan(job->fairshare))
		return job->fairshare;
	if (!isnan(row->place))
		return fathom_place_factor((size_t)row->place, batch->places.count);
	if (!batch->associations.snapshot)
		return 0;
	return node == JOB_NO_NODE ? NAN : factor_of(batch, node, row);
}

/* Returns a job of the file as struct fathom_job has it. An age below 0 means that the job is not
 * eligible yet. */
static struct fathom_job job_of(struct job_batch *batch, const struct job *job,
				const struct jobs_partition *partition, double fairshare)
{
	bool accrues = batch->jobs->has_time && job->accrue_time > 0;
	double minutes = job->time_limit;

	if (!(minutes > 0))
		minutes = partition ? partition->max_time : 0;
	fill_tres(batch, &job->tres, batch->job_tres);
	return (struct fathom_job){
		.age = accrues ? (double)batch->jobs->time - job->accrue_time : -1,
		.fairshare = fairshare,
		.assoc_norm = normalised(job->assoc_priority, batch->highest_assoc),
		.assoc_priority = job->assoc_priority,
		.nodes = (uint32_t)job->min_nodes, .cpus = (uint32_t)job->cpus,
		.minutes = minutes,
		.tres = batch->job_tres,
		.site = (int64_t)job->site, .nice = (int64_t)job->nice,
	};
}

static void set_factors(struct job_values *values, const struct fathom_factors *factors)
{
	values->factor[JOB_AGE] = factors->age;
	values->factor[JOB_ASSOC] = factors->assoc;
	values->factor[JOB_FAIRSHARE] = factors->fairshare;
	values->factor[JOB_SIZE] = factors->job_size;
	values->factor[JOB_PARTITION] = factors->partition;
	values->factor[JOB_QOS] = factors->qos;
	values->site = (double)factors->site;
	values->nice = factors->nice;
}

/* Shows the terms where Slurm has a column for them: the queue's as the partition's, the
 * bank's as the association's, urgency's as nice. Returns the priority. */
static double flux_row(struct job_batch *batch, const struct job *job, double fairshare,
		       struct job_row *row)
{
	static const struct fathom_flux_weights one = { .fairshare = 1, .queue = 1, .bank = 1,
							.urgency = 1 };
	struct fathom_flux_job flux_job = {
		.fairshare = fairshare, .queue = job->queue, .bank = job->bank,
		.urgency = (unsigned)job->urgency,
	};
	struct fathom_factors plain = fathom_flux_factors(&one, &flux_job);
	struct fathom_factors weighted = fathom_flux_factors(&batch->flux, &flux_job);

	set_factors(&row->plain, &plain);
	set_factors(&row->weighted, &weighted);
	return fathom_flux_priority(&batch->flux, &flux_job);
}

/* Sets the factors before and after weighting, and returns the priority, Slurm's sum of terms.
 * is_pair: the job asks for several partitions, and this is its row for one of them, for which
 * Slurm adds the terms in another order. */
static double slurm_row(struct job_batch *batch, const struct fathom_job *job,
			const struct fathom_queue *queue, bool is_pair, struct job_row *row)
{
	struct fathom_factors plain = fathom_job_factors(&batch->plain, job, queue,
							 row->plain.tres);
	struct fathom_factors weighted = fathom_job_factors(&batch->config, job, queue,
							    row->weighted.tres);

	set_factors(&row->plain, &plain);
	set_factors(&row->weighted, &weighted);
	return is_pair ? fathom_priority_sum_of_pair(&weighted, NULL) :
			 fathom_priority_sum(&weighted, NULL);
}

/* Returns whether the policy ever starts the job. Some policies start none of users without shares.
 * A job for which the file gives a factor, or whose association the tree lacks, may run. */
static bool may_run(const struct scheme_result *scheme, const struct job *job, size_t node)
{
	return node == JOB_NO_NODE || !isnan(job->fairshare) ||
	       fathom_result_may_run(scheme->result, &scheme->settings, node);
}

/* Makes the factor unknown, and with it the priority, unless the factor has no weight. */
static void forget_fairshare(const struct job_list *list, struct job_row *row)
{
	if (list->weight[JOB_FAIRSHARE] == 0)
		return;
	row->plain.factor[JOB_FAIRSHARE] = row->weighted.factor[JOB_FAIRSHARE] = NAN;
	row->priority = NAN;
	row->has_no_association = true;
}

/* Sets factors and priority by the policy's rule: flux-accounting's, or Slurm's weighted sum. If
 * the tree lacks the job's association, flux-accounting's rule takes 0.5 as the fair-share factor;
 * by Slurm's rule factor and priority are unknown. */
static void weigh(struct job_batch *batch, const struct job *job,
		  const struct fathom_job *slurm_job, const struct fathom_queue *queue,
		  struct job_row *row)
{
	if (batch->is_flux) {
		batch->list->fallback = "a fairshare of 0.5";
		row->priority = flux_row(batch, job, slurm_job->fairshare, row);
		row->has_no_association = isnan(slurm_job->fairshare);
		return;
	}
	row->priority = slurm_row(batch, slurm_job, queue, job->requested_count > 1, row);
	if (isnan(slurm_job->fairshare))
		forget_fairshare(batch->list, row);
}

static void clear_terms(const struct job_list *list, struct job_row *row)
{
	double *plain = row->plain.tres, *weighted = row->weighted.tres;
	size_t size = list->tres_count * sizeof(*plain);

	memset(plain, 0, size);
	memset(weighted, 0, size);
	row->plain = (struct job_values){ .tres = plain };
	row->weighted = (struct job_values){ .tres = weighted };
	row->formula = row->value = NAN;
	row->input = NULL;
}

void job_list_set_lowest(struct job_list *list, struct job_row *row)
{
	clear_terms(list, row);
	row->priority = 1;
	row->is_never_started = true;
	list->without_shares++;
}

/* Returns the place of a row of the list; NAN: it has none, or places are not known yet. */
static double place_of(const struct job_batch *batch, const struct job_row *row)
{
	size_t at = (size_t)(row - batch->list->row);

	return batch->places.place && batch->places.place[at] ? (double)batch->places.place[at]
							      : NAN;
}

/* Returns the partition that the file describes under a name; NULL: it describes none. */
static const struct jobs_partition *partition_of(const struct jobs *jobs,
						 const struct requested_partition *requested)
{
	if (!requested || requested->partition == JOBS_NONE)
		return NULL;
	return &jobs->partition[requested->partition];
}

static const char *scope_of(const struct job_batch *batch, const struct job_row *row)
{
	size_t scheme = queue_of_row(batch, row)->scheme;

	return scheme ? batch->rule->scope[scheme - 1].name : NULL;
}

/* Names what the row stands for. */
static void name_row(const struct job_batch *batch, const struct job *job,
		     const struct requested_partition *requested, struct job_row *row)
{
	const struct jobs *jobs = batch->jobs;

	row->place = place_of(batch, row);
	row->id = job->id;
	row->state = job->state;
	row->user = jobs_text(jobs, job->user);
	row->account = jobs_text(jobs, job->account);
	row->qos = jobs_text(jobs, job->qos_name);
	row->partition = requested ? jobs_text(jobs, requested->name) : NULL;
	row->scope = scope_of(batch, row);
	row->is_held = job->held;
	row->depends = job->depends;
	row->waits = job->waits;
}

static void set_never_started(struct job_batch *batch, struct job_row *row)
{
	if (!batch->list->without_shares)
		batch->list->never_starts = scheme_of(batch, row)->policy;
	job_list_set_lowest(batch->list, row);
}

/* As for a row of slurmctld's, whose factors are not known. */
static void set_by_administrator(const struct job_list *list, const struct job *job,
				 struct job_row *row)
{
	clear_terms(list, row);
	row->is_set = true;
	row->place = NAN;
	row->priority = job->set_priority;
}

/* Adds the row of a job in a partition. requested: NULL: the job asks for no partition. */
static void evaluate_row(struct job_batch *batch, const struct job *job,
			 const struct requested_partition *requested)
{
	const struct jobs_partition *partition = partition_of(batch->jobs, requested);
	struct job_row *row = job_list_add(batch->list);
	struct fathom_queue queue = queue_of(batch, job, partition);
	struct fathom_job slurm_job;
	size_t node;

	name_row(batch, job, requested, row);
	node = job_associations_find(&batch->associations, row);
	slurm_job = job_of(batch, job, partition, fairshare_of(batch, job, node, row));
	weigh(batch, job, &slurm_job, &queue, row);
	if (batch->formula)
		set_formula(batch, &slurm_job, &queue, node, row);
	if (!may_run(scheme_of(batch, row), job, node))
		set_never_started(batch, row);
	if (job->set_priority > 0)
		set_by_administrator(batch->list, job, row);
	if (job->held)
		row->priority = 0;
}

static void evaluate_job(struct job_batch *batch, const struct job *job)
{
	if (!job->requested_count)
		evaluate_row(batch, job, NULL);
	for (size_t i = 0; i < job->requested_count; i++)
		evaluate_row(batch, job, &batch->jobs->requested[job->first_requested + i]);
}

/* ---- all jobs -------------------------------------------------------------------------------- */

int job_list_add_weighted_tres(struct jobs *jobs, struct fathom_error *error)
{
	const struct job_settings *settings = &jobs->settings;
	size_t tres;

	for (size_t i = 0; i < settings->tres_count; i++)
		if (jobs_find_tres(jobs, settings->tres[i].name, &tres, error))
			return -1;
	return 0;
}

static void set_tres(struct job_list *list, const struct jobs *jobs)
{
	const struct job_settings *settings = &jobs->settings;

	for (size_t i = 0; i < list->tres_count; i++)
		list->tres_name[i] = jobs_text(jobs, jobs->tres[i]);
	for (size_t i = 0; i < settings->tres_count; i++)
		list->tres_weight[find_tres(list, settings->tres[i].name)] =
			settings->tres[i].weight;
}

static int create_rows(struct job_list *list, struct jobs *jobs, struct fathom_error *error)
{
	size_t room = 0;

	if (job_list_add_weighted_tres(jobs, error))
		return -1;
	for (size_t i = 0; i < jobs->job_count; i++)
		room += jobs->job[i].requested_count ? jobs->job[i].requested_count : 1;
	if (job_list_create(list, room, jobs->tres_count, error))
		return -1;
	set_tres(list, jobs);
	return 0;
}

static int prepare_batch(struct job_batch *batch, struct fathom_warnings *warnings,
			     struct fathom_error *error)
{
	size_t count = batch->list->tres_count + 1;

	batch->job_tres = calloc(count, sizeof(*batch->job_tres));
	batch->partition_tres = calloc(count, sizeof(*batch->partition_tres));
	batch->plain_tres_weight = calloc(count, sizeof(*batch->plain_tres_weight));
	if (!batch->job_tres || !batch->partition_tres || !batch->plain_tres_weight)
		return fathom_error_no_memory(error);
	set_weights(batch);
	make_configs(batch);
	if (batch->is_flux) {
		batch->flux = fathom_flux_weights(&batch->rule->settings);
		job_list_set_flux_weights(batch->list, &batch->rule->settings);
	}
	find_highest(batch);
	return evaluate_tree(batch, error) || formula_create(batch, warnings, error) ? -1 : 0;
}

static void evaluate_jobs(struct job_batch *batch)
{
	batch->list->count = batch->list->without_shares = 0;
	batch->tally = (struct fathom_formula_tally){ 0 };
	for (size_t i = 0; i < batch->jobs->job_count; i++)
		evaluate_job(batch, &batch->jobs->job[i]);
}

/* Queue order depends on the other factors, so that places come in a second round. */
static int evaluate_with_places(struct job_batch *batch, struct fathom_error *error)
{
	evaluate_jobs(batch);
	if (!batch->associations.snapshot || !job_places_wanted(&batch->schemes))
		return 0;
	if (job_places_create(&batch->places, &(struct placed_jobs){
				batch->list, batch->jobs, &batch->associations, &batch->queues,
				&batch->schemes }, error))
		return -1;
	batch->list->has_places = true;
	evaluate_jobs(batch);
	return 0;
}

static void clear_batch(struct job_batch *batch)
{
	job_associations_clear(&batch->associations);
	job_queues_clear(&batch->queues);
	scheme_results_clear(&batch->schemes);
	fathom_formula_destroy(batch->formula);
	formula_extras_destroy(batch->name);
	free(batch->extra);
	free(batch->input_index);
	free(batch->places.place);
	free(batch->job_tres);
	free(batch->partition_tres);
	free(batch->plain_tres_weight);
}

int job_list_evaluate(struct job_list *list, struct jobs *jobs, const struct job_rule *rule,
		      struct fathom_warnings *warnings, struct fathom_error *error)
{
	struct job_batch batch = {
		.jobs = jobs, .rule = rule, .list = list,
		.is_flux = fathom_policy_priority_rule(rule->policy) == FATHOM_FLUX_PRIORITY &&
			   !rule->formula,
	};
	int status;

	if (create_rows(list, jobs, error))
		return -1;
	status = prepare_batch(&batch, warnings, error);
	if (!status)
		status = evaluate_with_places(&batch, error);
	if (!status && batch.formula)
		fathom_formula_report(&batch.tally, rule->scale, warnings);
	clear_batch(&batch);
	if (status)
		job_list_clear(list);
	return status;
}

/* ---- rows that have their factors ----------------------------------------------------- */

static struct fathom_factors factors_of(const struct job_list *list, const struct job_row *row)
{
	const double *weighted = row->weighted.factor;
	struct fathom_factors factors = {
		.age = weighted[JOB_AGE], .assoc = weighted[JOB_ASSOC],
		.fairshare = weighted[JOB_FAIRSHARE], .job_size = weighted[JOB_SIZE],
		.partition = weighted[JOB_PARTITION], .qos = weighted[JOB_QOS],
		.site = (int64_t)row->weighted.site, .nice = row->weighted.nice,
	};

	for (size_t tres = 0; tres < list->tres_count; tres++)
		factors.tres_sum += row->weighted.tres[tres];
	return factors;
}

double job_list_sum_with(const struct job_list *list, size_t index, double fairshare)
{
	const struct job_row *row = &list->row[index];
	struct fathom_factors factors = factors_of(list, row);
	bool is_pair = (index && row[-1].id == row->id) ||
		       (index + 1 < list->count && row[1].id == row->id);

	if (isnan(fairshare) || row->has_no_terms)
		return NAN;
	factors.fairshare = fairshare;
	return is_pair ? fathom_priority_sum_of_pair(&factors, NULL) :
			 fathom_priority_sum(&factors, NULL);
}

void job_list_sum(struct job_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->row[i].is_set && !list->row[i].has_no_terms)
			list->row[i].priority = job_list_sum_with(
				list, i, list->row[i].weighted.factor[JOB_FAIRSHARE]);
}

/* The plugin sets the site factor so that the terms add up to the formula's value. For a
 * user without shares it leaves them 0. */
static void find_formula(const struct job_list *list, struct job_row *row)
{
	struct fathom_factors terms = factors_of(list, row);
	double sum = terms.age + terms.assoc + terms.fairshare + terms.job_size + terms.partition +
		     terms.qos + terms.tres_sum + (double)(terms.site - terms.nice);

	if (sum >= 1)
		row->formula = row->priority;
	row->plain.site = row->weighted.site = NAN;
}

void job_list_find_formula(struct job_list *list)
{
	for (size_t i = 0; list->formula && i < list->count; i++)
		if (!list->row[i].is_set && !list->row[i].has_no_terms)
			find_formula(list, &list->row[i]);
}
