/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a row for each job and partition. For each row: find the job's association in the
 * tree, get its fair-share factor, compute the factors before and after weighting, and the
 * priority by the policy's rule or by a formula. A held job gets priority 0, and a job that
 * the policy never starts gets 1.
 */
#include "evaluate/job_evaluate.h"

#include "core/error.h"
#include "evaluate/job_associations.h"
#include "evaluate/job_places.h"
#include "evaluate/pbs_unknown_group.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KILOBYTES 1024	/* in a megabyte, the unit of Slurm's memory */
#define OPENPBS_NOT_ELIGIBLE 1
#define OPENPBS_ELIGIBLE 2

/* ---- what all jobs share ----------------------------------------------------------- */

struct job_evaluation {
	const struct jobs *jobs;
	const struct job_rule *rule;
	struct job_list *list;
	struct job_associations associations;
	struct fathom_result *result;	/* NULL: there is no tree */
	struct job_places places;
	struct fathom_priority_config config, plain;	/* plain: with weights of 1 or 0 */
	double *plain_tres_weight;
	double highest_factor, highest_qos, highest_assoc;
	uint64_t *job_tres, *partition_tres;	/* of the current row */
	struct fathom_flux_weights flux;
	bool is_flux;
	/* for a formula */
	struct fathom_formula *formula;
	struct fathom_formula_tally tally;
	char **name;		/* further names in it: TRES, then the policy's columns */
	double *extra;		/* their values */
	size_t mem, gpu;	/* which TRES they are; tres_count: none */
};

static int evaluate_tree(struct job_evaluation *of, struct fathom_error *error)
{
	const struct job_rule *rule = of->rule;
	struct fathom_settings settings = rule->settings;

	if (!rule->snapshot)
		return 0;
	of->result = fathom_result_create(rule->policy, rule->snapshot->tree, error);
	if (!of->result)
		return -1;
	pbs_unknown_group_set_shares(rule->snapshot, rule->policy, &settings);
	fathom_evaluate(of->result, rule->snapshot->tree, &settings);
	return job_associations_create(&of->associations, rule->snapshot, error);
}

static void set_weights(struct job_evaluation *of)
{
	const double *value = of->jobs->settings.value;
	double *weight = of->list->weight;

	weight[JOB_AGE] = value[JOB_WEIGHT_AGE];
	weight[JOB_ASSOC] = value[JOB_WEIGHT_ASSOC];
	weight[JOB_FAIRSHARE] = value[JOB_WEIGHT_FAIRSHARE];
	weight[JOB_SIZE] = value[JOB_WEIGHT_JOB_SIZE];
	weight[JOB_PARTITION] = value[JOB_WEIGHT_PARTITION];
	weight[JOB_QOS] = value[JOB_WEIGHT_QOS];
}

static struct fathom_weights whole_weights(const double *weight)
{
	return (struct fathom_weights){
		.age = (uint32_t)weight[JOB_AGE], .assoc = (uint32_t)weight[JOB_ASSOC],
		.fairshare = (uint32_t)weight[JOB_FAIRSHARE],
		.job_size = (uint32_t)weight[JOB_SIZE],
		.partition = (uint32_t)weight[JOB_PARTITION], .qos = (uint32_t)weight[JOB_QOS],
	};
}

static void make_configs(struct job_evaluation *of)
{
	const struct jobs *jobs = of->jobs;
	const struct job_list *list = of->list;
	double one[JOB_FACTOR_COUNT];

	of->config = (struct fathom_priority_config){
		.weight = whole_weights(list->weight), .tres_weight = list->tres_weight,
		.tres_count = list->tres_count, .max_age = jobs->settings.value[JOB_MAX_AGE],
		.flags = jobs->settings.flags, .cluster_nodes = (uint32_t)jobs->nodes,
		.cluster_cpus = (uint32_t)jobs->cpus,
	};
	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++)
		one[i] = list->weight[i] != 0;
	for (size_t i = 0; i < list->tres_count; i++)
		of->plain_tres_weight[i] = list->tres_weight[i] != 0;
	of->plain = of->config;
	of->plain.weight = whole_weights(one);
	of->plain.tres_weight = of->plain_tres_weight;
}

static void find_highest(struct job_evaluation *of)
{
	const struct jobs *jobs = of->jobs;

	for (size_t i = 0; i < jobs->partition_count; i++)
		of->highest_factor = fmax(of->highest_factor, jobs->partition[i].job_factor);
	for (size_t i = 0; i < jobs->qos_count; i++)
		of->highest_qos = fmax(of->highest_qos, jobs->qos[i].priority);
	for (size_t i = 0; i < jobs->job_count; i++)
		of->highest_assoc = fmax(of->highest_assoc, jobs->job[i].assoc_priority);
}

/* ---- the formula ----------------------------------------------------------------------------- */

/* Returns how a formula names a TRES: gres_gpu for gres/gpu. NULL: ENOMEM. */
static char *formula_name(const char *tres)
{
	char *name = strdup(tres);

	for (char *at = name; at && *at; at++)
		if (!isalnum((unsigned char)*at))
			*at = '_';
	return name;
}

static int name_extras(struct job_evaluation *of, struct fathom_error *error)
{
	size_t tres = of->list->tres_count;
	size_t columns = fathom_policy_column_count(of->rule->policy);

	of->name = calloc(tres + columns + 1, sizeof(*of->name));
	of->extra = calloc(tres + columns + 1, sizeof(*of->extra));
	if (!of->name || !of->extra)
		return fathom_error_no_memory(error);
	for (size_t i = 0; i < tres + columns; i++) {
		of->name[i] = i < tres ? formula_name(of->list->tres_name[i]) :
			      strdup(fathom_policy_column(of->rule->policy, i - tres)->name);
		if (!of->name[i])
			return fathom_error_no_memory(error);
	}
	return 0;
}

static size_t find_tres(const struct job_list *list, const char *name)
{
	size_t i = 0;

	while (i < list->tres_count && strcasecmp(list->tres_name[i], name))
		i++;
	return i;
}

static int formula_create(struct job_evaluation *of, struct fathom_warnings *warnings,
			  struct fathom_error *error)
{
	if (!of->rule->formula)
		return 0;
	if (name_extras(of, error))
		return -1;
	of->mem = find_tres(of->list, "mem");
	of->gpu = find_tres(of->list, "gres/gpu");
	of->list->formula = of->rule->formula;
	of->list->formula_scale = of->rule->scale;
	of->formula = fathom_formula_create(of->rule->formula, &(struct fathom_formula_names){
						(const char *const *)of->name,
						fathom_policy_with_column, "give --policy " },
					    warnings, error);
	return of->formula ? 0 : -1;
}

static void fill_extras(struct job_evaluation *of, size_t node)
{
	size_t tres = of->list->tres_count;

	for (size_t i = 0; i < tres; i++)
		of->extra[i] = (double)of->job_tres[i];
	for (size_t i = 0; i < fathom_policy_column_count(of->rule->policy); i++)
		of->extra[tres + i] = node == JOB_NO_NODE ? NAN :
				      fathom_result_column(of->result, i)[node];
}

static double tres_count_of(const struct job_evaluation *of, size_t tres)
{
	return tres < of->list->tres_count ? (double)of->job_tres[tres] : 0;
}

static double by_formula(struct job_evaluation *of, const struct fathom_job *job,
			 const struct fathom_queue *queue, size_t node)
{
	const struct fathom_result *result = of->result;
	struct fathom_formula_job in = {
		.config = &of->config, .job = job, .queue = queue, .extra = of->extra,
		.accrue_type = job->age >= 0 ? OPENPBS_ELIGIBLE : OPENPBS_NOT_ELIGIBLE,
		.memory = tres_count_of(of, of->mem) * KILOBYTES,
		.gpus = tres_count_of(of, of->gpu),
	};

	if (node != JOB_NO_NODE) {
		in.norm_shares = fathom_result_norm_shares(result)[node];
		in.effective_usage = fathom_result_effective_usage(result)[node];
	}
	fill_extras(of, node);
	return fathom_formula_priority(fathom_formula_value(of->formula, &in, &of->tally),
				       of->rule->scale);
}

/* Returns whether the formula uses a field or column of the tree that is unknown for the job. */
static bool lacks_figures(const struct job_evaluation *of, const struct fathom_job *job,
			  size_t node)
{
	size_t fields = fathom_field_count(), tres = of->list->tres_count;
	bool has_none = node == JOB_NO_NODE && of->associations.snapshot;

	for (size_t i = 0; i < fields; i++) {
		enum fathom_field_of from = fathom_field_at(i)->of;
		bool lacks = from == FATHOM_OF_FACTOR ? isnan(job->fairshare) :
						       from != FATHOM_OF_JOB && has_none;

		if (lacks && fathom_formula_uses(of->formula, i))
			return true;
	}
	for (size_t i = 0; has_none && i < fathom_policy_column_count(of->rule->policy); i++)
		if (fathom_formula_uses(of->formula, fields + tres + i))
			return true;
	return false;
}

static void set_formula(struct job_evaluation *of, const struct fathom_job *job,
			const struct fathom_queue *queue, size_t node, struct job_row *row)
{
	row->has_no_association = lacks_figures(of, job, node);
	row->formula = row->has_no_association ? NAN : by_formula(of, job, queue, node);
	row->priority = row->formula;
}

/* ---- one job in one partition -------------------------------------------------------- */

static void fill_tres(const struct job_evaluation *of, const struct tres_amounts *amounts,
		      uint64_t *tres)
{
	memset(tres, 0, of->list->tres_count * sizeof(*tres));
	for (size_t i = 0; i < amounts->count; i++) {
		const struct tres_amount *amount = &of->jobs->amount[amounts->first + i];

		tres[amount->tres] = amount->count;
	}
}

static double over(double part, double highest)
{
	return highest > 0 ? part / highest : 0;
}

static struct fathom_queue queue_of(struct job_evaluation *of, const struct job *job,
				    const struct jobs_partition *partition)
{
	const struct jobs *jobs = of->jobs;
	double qos = job->qos == JOBS_NONE ? 0 : jobs->qos[job->qos].priority;
	struct fathom_queue queue = { .qos_priority = qos, .qos_norm = over(qos, of->highest_qos) };

	if (!partition)
		return queue;
	fill_tres(of, &partition->tres, of->partition_tres);
	queue.partition_tres = of->partition_tres;
	queue.partition_factor = partition->job_factor;
	queue.partition_norm = over(partition->job_factor, of->highest_factor);
	return queue;
}

/* Returns NAN if the tree lacks the job's association. row: of the list, already added. */
static double fairshare_of(const struct job_evaluation *of, const struct job *job, size_t node,
			   const struct job_row *row)
{
	if (!isnan(job->fairshare))
		return job->fairshare;
	if (!isnan(row->place))
		return fathom_place_factor((size_t)row->place, of->places.count);
	if (!of->associations.snapshot)
		return 0;
	if (node == JOB_NO_NODE)
		return NAN;
	return of->rule->recorded_factor ? of->rule->recorded_factor[node] :
				       fathom_result_factor(of->result)[node];
}

static struct fathom_job job_of(struct job_evaluation *of, const struct job *job,
				const struct jobs_partition *partition, double fairshare)
{
	bool accrues = of->jobs->has_time && job->accrue_time > 0;

	fill_tres(of, &job->tres, of->job_tres);
	return (struct fathom_job){
		.age = accrues ? (double)of->jobs->time - job->accrue_time : -1,
		.fairshare = fairshare,
		.assoc_norm = over(job->assoc_priority, of->highest_assoc),
		.assoc_priority = job->assoc_priority,
		.nodes = (uint32_t)job->min_nodes, .cpus = (uint32_t)job->cpus,
		.minutes = job->time_limit > 0 ? job->time_limit :
			   partition ? partition->max_time : 0,
		.tres = of->job_tres,
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
static double flux_row(struct job_evaluation *of, const struct job *job, double fairshare,
		       struct job_row *row)
{
	static const struct fathom_flux_weights one = { .fairshare = 1, .queue = 1, .bank = 1,
							.urgency = 1 };
	struct fathom_flux_job in = {
		.fairshare = fairshare, .queue = job->queue, .bank = job->bank,
		.urgency = (unsigned)job->urgency,
	};
	struct fathom_factors plain = fathom_flux_factors(&one, &in);
	struct fathom_factors weighted = fathom_flux_factors(&of->flux, &in);

	set_factors(&row->plain, &plain);
	set_factors(&row->weighted, &weighted);
	return fathom_flux_priority(&of->flux, &in);
}

static double slurm_row(struct job_evaluation *of, const struct fathom_job *job,
			const struct fathom_queue *queue, bool is_pair, struct job_row *row)
{
	struct fathom_factors plain = fathom_job_factors(&of->plain, job, queue, row->plain.tres);
	struct fathom_factors weighted = fathom_job_factors(&of->config, job, queue,
							    row->weighted.tres);

	set_factors(&row->plain, &plain);
	set_factors(&row->weighted, &weighted);
	return is_pair ? fathom_priority_sum_of_pair(&weighted, NULL) :
			 fathom_priority_sum(&weighted, NULL);
}

static bool may_run(const struct job_evaluation *of, const struct job *job, size_t node)
{
	return node == JOB_NO_NODE || !isnan(job->fairshare) ||
	       fathom_result_may_run(of->result, &of->rule->settings, node);
}

/* Makes the factor unknown, and with it the priority. */
static void forget_fairshare(const struct job_list *list, struct job_row *row)
{
	if (list->weight[JOB_FAIRSHARE] == 0)
		return;
	row->plain.factor[JOB_FAIRSHARE] = row->weighted.factor[JOB_FAIRSHARE] = NAN;
	row->priority = NAN;
	row->has_no_association = true;
}

/* Computes the weighted sum, or flux-accounting's priority, which has a factor even for
 * users that it does not know. */
static void weigh(struct job_evaluation *of, const struct job *job, const struct fathom_job *in,
		  const struct fathom_queue *queue, struct job_row *row)
{
	if (of->is_flux) {
		of->list->stand_in = "a fairshare of 0.5";
		row->priority = flux_row(of, job, in->fairshare, row);
		row->has_no_association = isnan(in->fairshare);
		return;
	}
	row->priority = slurm_row(of, in, queue, job->place_count > 1, row);
	if (isnan(in->fairshare))
		forget_fairshare(of->list, row);
}

void job_list_leave_last(struct job_list *list, struct job_row *row)
{
	double *plain = row->plain.tres, *weighted = row->weighted.tres;
	size_t size = list->tres_count * sizeof(*plain);

	memset(plain, 0, size);
	memset(weighted, 0, size);
	row->plain = (struct job_values){ .tres = plain };
	row->weighted = (struct job_values){ .tres = weighted };
	row->priority = 1;
	row->formula = NAN;
	list->without_shares++;
}

static double place_of(const struct job_evaluation *of, const struct job_row *row)
{
	size_t at = (size_t)(row - of->list->row);

	return of->places.place && of->places.place[at] ? (double)of->places.place[at] : NAN;
}

static void evaluate_row(struct job_evaluation *of, const struct job *job,
			 const struct jobs_place *place)
{
	const struct jobs *jobs = of->jobs;
	const struct jobs_partition *partition =
		place && place->partition != JOBS_NONE ? &jobs->partition[place->partition] : NULL;
	struct job_row *row = job_list_add(of->list);
	struct fathom_queue queue = queue_of(of, job, partition);
	struct fathom_job in;
	size_t node;

	row->place = place_of(of, row);
	row->id = (int64_t)job->id;
	row->user = jobs_text(jobs, job->user);
	row->account = jobs_text(jobs, job->account);
	row->qos = jobs_text(jobs, job->qos_name);
	row->partition = place ? jobs_text(jobs, place->name) : NULL;
	node = job_associations_find(&of->associations, row);
	in = job_of(of, job, partition, fairshare_of(of, job, node, row));
	weigh(of, job, &in, &queue, row);
	if (of->formula)
		set_formula(of, &in, &queue, node, row);
	if (!may_run(of, job, node))
		job_list_leave_last(of->list, row);
	if (job->held)
		row->priority = 0;
}

static void evaluate_job(struct job_evaluation *of, const struct job *job)
{
	if (!job->place_count)
		evaluate_row(of, job, NULL);
	for (size_t i = 0; i < job->place_count; i++)
		evaluate_row(of, job, &of->jobs->place[job->first_place + i]);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Adds TRES that have a weight but occur in no job and no partition. */
static int add_weighted_tres(struct jobs *jobs, struct fathom_error *error)
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

	if (add_weighted_tres(jobs, error))
		return -1;
	for (size_t i = 0; i < jobs->job_count; i++)
		room += jobs->job[i].place_count ? jobs->job[i].place_count : 1;
	if (job_list_create(list, room, jobs->tres_count, error))
		return -1;
	set_tres(list, jobs);
	return 0;
}

static int create_evaluation(struct job_evaluation *of, struct fathom_warnings *warnings,
			     struct fathom_error *error)
{
	size_t count = of->list->tres_count + 1;

	of->job_tres = calloc(count, sizeof(*of->job_tres));
	of->partition_tres = calloc(count, sizeof(*of->partition_tres));
	of->plain_tres_weight = calloc(count, sizeof(*of->plain_tres_weight));
	if (!of->job_tres || !of->partition_tres || !of->plain_tres_weight)
		return fathom_error_no_memory(error);
	set_weights(of);
	make_configs(of);
	if (of->is_flux) {
		of->flux = fathom_flux_weights(&of->rule->settings);
		job_list_set_flux_weights(of->list, &of->rule->settings);
	}
	find_highest(of);
	return evaluate_tree(of, error) || formula_create(of, warnings, error) ? -1 : 0;
}

static void evaluate_jobs(struct job_evaluation *of)
{
	of->list->count = of->list->without_shares = 0;
	of->tally = (struct fathom_formula_tally){ 0 };
	for (size_t i = 0; i < of->jobs->job_count; i++)
		evaluate_job(of, &of->jobs->job[i]);
}

/* Queue order depends on the other factors, so that places come in a second round. */
static int evaluate_with_places(struct job_evaluation *of, struct fathom_error *error)
{
	const struct job_rule *rule = of->rule;

	evaluate_jobs(of);
	if (!of->result || !fathom_policy_places_jobs(rule->policy, &rule->settings))
		return 0;
	if (job_places_create(&of->places, of->list, of->jobs, &of->associations,
			      &(struct fathom_dispatch_tree){ rule->policy, &rule->settings,
							      rule->snapshot->tree }, error))
		return -1;
	of->list->has_places = true;
	evaluate_jobs(of);
	return 0;
}

static void clear_evaluation(struct job_evaluation *of)
{
	job_associations_clear(&of->associations);
	fathom_result_destroy(of->result);
	fathom_formula_destroy(of->formula);
	for (size_t i = 0; of->name && of->name[i]; i++)
		free(of->name[i]);
	free(of->name);
	free(of->extra);
	free(of->places.place);
	free(of->job_tres);
	free(of->partition_tres);
	free(of->plain_tres_weight);
}

int job_list_evaluate(struct job_list *list, struct jobs *jobs, const struct job_rule *rule,
		      struct fathom_warnings *warnings, struct fathom_error *error)
{
	struct job_evaluation of = {
		.jobs = jobs, .rule = rule, .list = list,
		.is_flux = fathom_policy_priority_rule(rule->policy) == FATHOM_FLUX_PRIORITY &&
			   !rule->formula,
	};
	int status;

	if (create_rows(list, jobs, error))
		return -1;
	status = create_evaluation(&of, warnings, error);
	if (!status)
		status = evaluate_with_places(&of, error);
	if (!status && of.formula)
		fathom_formula_report(&of.tally, rule->scale, warnings);
	clear_evaluation(&of);
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

	if (isnan(fairshare))
		return NAN;
	factors.fairshare = fairshare;
	return is_pair ? fathom_priority_sum_of_pair(&factors, NULL) :
			 fathom_priority_sum(&factors, NULL);
}

void job_list_sum(struct job_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (!list->row[i].is_set)
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
		if (!list->row[i].is_set)
			find_formula(list, &list->row[i]);
}
