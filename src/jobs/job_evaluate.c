/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes a row for each job and partition. For each row: find the job's association in the
 * tree, get its fair-share factor, compute the factors before and after weighting, and the
 * priority by the policy's rule or by a formula. A held job gets priority 0, and a job that
 * the policy never starts gets 1. Example: a job of ann in partitions a and b, weights 1000 for
 * age and 2000 for fair share:
 *
 *	row	plain: age, fairshare	weighted	priority
 *	ann, a	0.5, 0.25		500, 500	1000
 *	ann, b	0.5, 0.75		500, 1500	2000	(b is in a scope)
 */
#include "jobs/job_evaluate.h"

#include "jobs/job_places.h"
#include "jobs/job_states.h"
#include "memory/need_memory.h"
#include "priority/formula_inputs.h"
#include "priority/own_hold.h"

#include <math.h>
#include <string.h>

#define KILOBYTES 1024	/* in a megabyte, the unit of Slurm's memory */
/* values of OpenPBS's accrue_type */
#define OPENPBS_NOT_ELIGIBLE 1
#define OPENPBS_ELIGIBLE 2

/* ---- what all jobs share ----------------------------------------------------------- */

/* The jobs of a file, and all that their rows are computed from. */
struct job_batch {
	const struct jobs *jobs;
	const struct job_rule *rule;
	struct job_list *list;
	struct row_origin *origin;	/* by row */
	size_t origin_count;
	struct job_associations associations;
	struct job_queues queues;
	size_t place_count;		/* rows with a place; 0 in the first round */
	struct fathom_priority_config config;
	struct fathom_priority_config plain;	/* `config`, but each weight that is not 0 is 1 */
	double *plain_tres_weight;		/* plain.tres_weight */
	/* the greatest priorities, which count as 1; 0: there are none */
	double highest_partition, highest_qos, highest_assoc;
	uint64_t *job_tres, *partition_tres;	/* of the current row, by TRES */
	bool is_flux;			/* priorities are flux-accounting's sum */
	struct fathom_flux_weights flux;	/* if is_flux */
	struct fathom_formula *formula;	/* NULL: priorities are sums */
	/* if there is a formula: */
	struct fathom_formula_tally tally;
	char **extra_name;		/* its names beside the fields, see jobs_formula_names() */
	double *extra;			/* values of these names for the current row */
	size_t *input_index;		/* by index in list->input_name: the index of the name for
					 * fathom_formula_uses() */
	size_t mem, gpu;		/* which TRES mem and gres/gpu are, or JOBS_NONE */
};

/* The row that is being computed. */
struct evaluated_row {
	struct job_row *row;
	const struct job *given;	/* the job as the file describes it */
	size_t node;			/* of its association, or JOB_NO_NODE */
	const struct job_queue *job_queue;
	const struct scheme_result *scheme;	/* that of the partition */
	/* the job and its partition, as the library computes factors of them */
	struct fathom_job job;
	struct fathom_queue queue;
};

/* Returns weights as slurmctld has them: without fractions. weight: by enum job_factor. */
static struct fathom_weights whole_weights(const double *weight)
{
	return (struct fathom_weights){
		.age = (uint32_t)weight[JOB_AGE], .assoc = (uint32_t)weight[JOB_ASSOC],
		.fairshare = (uint32_t)weight[JOB_FAIRSHARE],
		.job_size = (uint32_t)weight[JOB_SIZE],
		.partition = (uint32_t)weight[JOB_PARTITION], .qos = (uint32_t)weight[JOB_QOS],
	};
}

/* Sets `config` and `plain` of the batch. The weights are still slurmctld's: those of flux may be
 * below 0. */
static void make_configs(struct job_batch *batch)
{
	const struct jobs *jobs = batch->jobs;
	const struct job_list *list = batch->list;
	double plain_weight[JOB_FACTOR_COUNT];	/* 1 for each weight that is not 0 */

	batch->config = (struct fathom_priority_config){
		.weight = whole_weights(list->weight), .tres_weight = list->tres_weight,
		.tres_count = list->tres_count, .max_age = list->max_age,
		.flags = jobs->settings.flags, .cluster_nodes = (uint32_t)jobs->nodes,
		.cluster_cpus = (uint32_t)jobs->cpus,
	};
	for (size_t i = 0; i < JOB_FACTOR_COUNT; i++)
		plain_weight[i] = list->weight[i] != 0;
	for (size_t i = 0; i < list->tres_count; i++)
		batch->plain_tres_weight[i] = list->tres_weight[i] != 0;
	batch->plain = batch->config;
	batch->plain.weight = whole_weights(plain_weight);
	batch->plain.tres_weight = batch->plain_tres_weight;
}

/* Sets the greatest priorities of the batch. */
static void find_highest(struct job_batch *batch)
{
	const struct jobs *jobs = batch->jobs;

	for (size_t i = 0; i < jobs->partition_count; i++)
		batch->highest_partition =
			fmax(batch->highest_partition, jobs->partition[i].job_factor);
	for (size_t i = 0; i < jobs->qos_count; i++)
		batch->highest_qos = fmax(batch->highest_qos, jobs->qos[i].priority);
	batch->highest_assoc = jobs_highest_assoc(jobs);
}

/* ---- the formula ----------------------------------------------------------------------------- */

/* Lists the names that occur in the formula, and makes room for their values in each row. */
static void list_inputs(struct job_batch *batch)
{
	struct job_list *list = batch->list;
	size_t fields = fathom_field_count();
	size_t count = fields + list->tres_count + fathom_policy_column_count(batch->rule->policy);

	batch->input_index = need_zeros(count, sizeof(*batch->input_index));
	list->input_name = need_zeros(count, sizeof(*list->input_name));
	for (size_t i = 0; i < count; i++) {
		const char *name = i < fields ? fathom_field_at(i)->name
					      : batch->extra_name[i - fields];

		if (!fathom_formula_uses(batch->formula, i))
			continue;
		list->input_name[list->input_count] = name;
		batch->input_index[list->input_count++] = i;
	}
	list->input = need_zeros(list->count * list->input_count, sizeof(*list->input));
}

NEED_DESTROYER(destroy_formula, fathom_formula_destroy)

/* Compiles the rule's formula; does nothing if the rule has none. Names in it, beside the fields,
 * are TRES and columns of the policy. -1: see fathom_formula_create(). */
static int formula_create(struct job_batch *batch, struct fathom_warnings *warnings,
			  struct fathom_error *error)
{
	struct job_list *list = batch->list;
	const struct job_rule *rule = batch->rule;
	size_t extras = list->tres_count + fathom_policy_column_count(rule->policy);
	struct fathom_formula_names names = { .policy_with = fathom_policy_with_column,
					      .choose = "give --policy " };

	if (!rule->formula)
		return 0;
	batch->extra_name = jobs_formula_names(batch->jobs, rule->policy);
	names.extra = (const char *const *)batch->extra_name;
	batch->extra = need_zeros(extras, sizeof(*batch->extra));
	batch->mem = jobs_tres_named(batch->jobs, "mem");
	batch->gpu = jobs_tres_named(batch->jobs, "gres/gpu");
	list->formula = rule->formula;
	list->formula_scale = rule->scale;
	batch->formula = fathom_formula_create(rule->formula, &names, warnings, error);
	if (!batch->formula)
		return -1;
	need_owned(batch->formula, destroy_formula);
	list_inputs(batch);
	return 0;
}

/* Sets the values of the names beside the fields: the TRES of the current row, and the policy's
 * columns for a node. Columns are those of the rule's own policy, also for jobs of scopes. */
static void fill_extras(struct job_batch *batch, size_t node)
{
	const struct json_columns *figures = &batch->queues.scheme->figures;
	size_t tres = batch->list->tres_count;

	for (size_t i = 0; i < tres; i++)
		batch->extra[i] = (double)batch->job_tres[i];
	for (size_t i = 0; i < fathom_policy_column_count(batch->rule->policy); i++)
		batch->extra[tres + i] = node == JOB_NO_NODE ? NAN : figures->column[i][node];
}

/* Returns the amount of a TRES that the job of the current row asks for; 0 for JOBS_NONE. */
static double tres_count_of(const struct job_batch *batch, size_t tres)
{
	return tres == JOBS_NONE ? 0 : (double)batch->job_tres[tres];
}

/* Returns the formula's value for a row, before it is scaled, and counts it in the tally. */
static double formula_value(struct job_batch *batch, const struct evaluated_row *current)
{
	struct fathom_formula_job formula_job = {
		.config = &batch->config, .job = &current->job, .queue = &current->queue,
		.extra = batch->extra,
		.accrue_type = current->job.age >= 0 ? OPENPBS_ELIGIBLE : OPENPBS_NOT_ELIGIBLE,
		.memory = tres_count_of(batch, batch->mem) * KILOBYTES,
		.gpus = tres_count_of(batch, batch->gpu),
	};
	const struct json_columns *figures = &current->scheme->figures;

	if (current->node != JOB_NO_NODE) {
		formula_job.norm_shares = figures->norm_shares[current->node];
		formula_job.effective_usage = figures->effective_usage[current->node];
	}
	fill_extras(batch, current->node);
	return fathom_formula_value(batch->formula, &formula_job, &batch->tally);
}

/* Returns whether the value of a name in the formula is not known, because it comes from the tree,
 * and the tree lacks the job's association. index: as for fathom_formula_uses(). */
static bool is_unknown(const struct job_batch *batch, const struct evaluated_row *current,
		       size_t index)
{
	size_t fields = fathom_field_count(), tres = batch->list->tres_count;
	bool is_lacking = current->node == JOB_NO_NODE && batch->rule->snapshot;

	if (index >= fields)	/* a TRES of the job, or, behind all TRES, a column */
		return is_lacking && index >= fields + tres;
	if (fathom_field_at(index)->of == FATHOM_OF_FACTOR)
		return isnan(current->job.fairshare);
	return is_lacking && fathom_field_at(index)->of != FATHOM_OF_JOB;
}

/* Puts the values from which the formula was computed into the row, NAN where they are not known.
 * Returns whether all are known. */
static bool keep_inputs(struct job_batch *batch, const struct evaluated_row *current)
{
	struct job_list *list = batch->list;
	double *input = list->input + (size_t)(current->row - list->row) * list->input_count;
	bool all_known = true;

	current->row->input = input;
	for (size_t i = 0; i < list->input_count; i++) {
		size_t index = batch->input_index[i];

		input[i] = is_unknown(batch, current, index)
				   ? NAN : formula_input(batch->formula, index);
		all_known &= !isnan(input[i]);
	}
	return all_known;
}

/* Sets value and priority of a row by the formula; both are NAN if a name in the formula has no
 * known value. */
static void set_by_formula(struct job_batch *batch, const struct evaluated_row *current)
{
	struct job_row *row = current->row;
	struct fathom_formula_tally before = batch->tally;

	row->value = formula_value(batch, current);
	row->formula = fathom_formula_priority(row->value, batch->rule->scale);
	row->has_no_association = !keep_inputs(batch, current);
	if (row->has_no_association) {
		batch->tally = before;	/* an unknown value is not counted */
		row->value = row->formula = NAN;
	}
	row->priority = row->formula;
}

/* ---- one job in one partition -------------------------------------------------------- */

/* Sets tres[] to the counts of each TRES, 0 where `amounts` does not list it. Returns `tres`. */
static uint64_t *fill_tres(const struct job_batch *batch, const struct tres_amounts *amounts,
			   uint64_t *tres)
{
	memset(tres, 0, batch->list->tres_count * sizeof(*tres));
	for (size_t i = 0; i < amounts->count; i++) {
		const struct tres_amount *amount = &batch->jobs->amount[amounts->first + i];

		tres[amount->tres] = amount->count;
	}
	return tres;
}

/* Returns a priority over the highest one, 0 to 1; 0 if no priority is above 0. */
static double normalised(double priority, double highest)
{
	return highest > 0 ? priority / highest : 0;
}

/* Returns the partition and the QOS of a job for the library. partition: NULL if the file does not
 * describe it, so that its factor is 0. */
static struct fathom_queue queue_of(struct job_batch *batch, const struct job *job,
				    const struct jobs_partition *partition)
{
	double qos = job->qos == JOBS_NONE ? 0 : batch->jobs->qos[job->qos].priority;
	double factor = partition ? partition->job_factor : 0;

	return (struct fathom_queue){
		.qos_priority = qos, .qos_norm = normalised(qos, batch->highest_qos),
		.partition_factor = factor,
		.partition_norm = normalised(factor, batch->highest_partition),
		.partition_tres = partition ? fill_tres(batch, &partition->tres,
							batch->partition_tres) : NULL,
	};
}

/* Returns the factor that the association, which must be known, has in the scheme of the row's
 * partition. In a scope that is served queue first, the factor orders jobs by the priority of their
 * partition and only then by their users. */
static double factor_of(const struct evaluated_row *current)
{
	size_t classes = current->scheme->class_count;
	double factor = current->scheme->figures.factor[current->node];

	if (!classes)
		return factor;
	return fathom_queue_first_factor(factor, current->job_queue->queue_class, classes);
}

/* Returns the fair-share factor: the file's, else that of the row's place, else that of the job's
 * association in the tree. 0: there is no tree; NAN: the tree lacks the association. */
static double fairshare_of(const struct job_batch *batch, const struct evaluated_row *current)
{
	if (!isnan(current->given->fairshare))
		return current->given->fairshare;
	if (!isnan(current->row->place))
		return fathom_place_factor((size_t)current->row->place, batch->place_count);
	if (!batch->rule->snapshot)
		return 0;
	return current->node == JOB_NO_NODE ? NAN : factor_of(current);
}

/* Returns the job for the library. Its age is -1 if the job is not eligible yet or the time is not
 * known. */
static struct fathom_job job_of(struct job_batch *batch, const struct evaluated_row *current)
{
	const struct job *job = current->given;
	double age_from = jobs_age_from(batch->jobs, job);
	bool accrues = batch->jobs->has_time && age_from > 0;

	return (struct fathom_job){
		.age = accrues ? (double)batch->jobs->time - age_from : -1,
		.fairshare = fairshare_of(batch, current),
		.assoc_norm = normalised(job->assoc_priority, batch->highest_assoc),
		.assoc_priority = job->assoc_priority,
		.nodes = (uint32_t)job->min_nodes, .cpus = (uint32_t)job->cpus,
		.minutes = job_minutes(job, current->job_queue->partition),
		.tres = fill_tres(batch, &job->tres, batch->job_tres),
		.site = (int64_t)job->site, .nice = (int64_t)job->nice,
	};
}

/* Sets the factors before and after weighting, and flux-accounting's priority. Its terms go where
 * Slurm has a column for them: the queue's into the partition's, the bank's into the association's,
 * urgency's into nice. If the tree lacks the job's association, flux-accounting takes 0.5 as the
 * fair-share factor. */
static void weigh_by_flux(struct job_batch *batch, const struct evaluated_row *current)
{
	static const struct fathom_flux_weights one = { .fairshare = 1, .queue = 1, .bank = 1,
							.urgency = 1 };
	struct fathom_flux_job job = {
		.fairshare = current->job.fairshare,
		.queue = isnan(current->given->queue) ? current->queue.partition_factor
						  : current->given->queue,
		.bank = isnan(current->given->bank) ? 0 : current->given->bank,
		.urgency = jobs_urgency(batch->jobs, current->given, batch->flux.may_raise,
					&current->row->unheeded),
	};
	struct fathom_factors plain = fathom_flux_factors(&one, &job);
	struct fathom_factors weighted = fathom_flux_factors(&batch->flux, &job);
	bool may_hold = !current->row->is_held && !(current->given->set_priority > 0);

	job_values_set(&current->row->plain, &plain);
	job_values_set(&current->row->weighted, &weighted);
	current->row->priority = fathom_flux_priority(&batch->flux, &job);
	if (!job.urgency && may_hold)
		current->row->own_hold = HELD_BY_URGENCY;
	current->row->has_no_association = isnan(current->job.fairshare);
}

/* Sets the factors before and after weighting, and Slurm's sum of terms as the priority. If the
 * tree lacks the job's association, fair-share factor and priority are unknown, unless that factor
 * has no weight. */
static void weigh_by_slurm(struct job_batch *batch, const struct evaluated_row *current)
{
	struct job_row *row = current->row;
	const struct fathom_job *job = &current->job;
	const struct fathom_queue *queue = &current->queue;
	struct fathom_factors plain = fathom_job_factors(&batch->plain, job, queue,
							 row->plain.tres);
	struct fathom_factors weighted = fathom_job_factors(&batch->config, job, queue,
							    row->weighted.tres);
	bool is_pair = current->given->requested_count > 1;

	job_values_set(&row->plain, &plain);
	job_values_set(&row->weighted, &weighted);
	row->priority = is_pair ? fathom_priority_sum_of_pair(&weighted, NULL)
				: fathom_priority_sum(&weighted, NULL);
	if (!isnan(job->fairshare) || batch->list->weight[JOB_FAIRSHARE] == 0)
		return;
	row->plain.factor[JOB_FAIRSHARE] = row->weighted.factor[JOB_FAIRSHARE] = NAN;
	row->priority = NAN;
	row->has_no_association = true;
}

/* Returns whether the policy ever starts the job: some policies start no jobs of users without
 * shares. A job that the file gives a factor, or whose association the tree lacks, may run. */
static bool may_run(const struct evaluated_row *current)
{
	const struct scheme_result *scheme = current->scheme;

	return current->node == JOB_NO_NODE || !isnan(current->given->fairshare) ||
	       fathom_result_may_run(scheme->result, &scheme->settings, current->node);
}

/* Sets all terms of a row to 0, and makes its value by a formula unknown. */
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

void job_list_set_lowest(struct job_list *list, struct job_row *row, bool holds)
{
	clear_terms(list, row);
	row->priority = holds ? 0 : 1;
	row->is_never_started = true;
	if (holds && !row->is_held) {
		row->is_held = true;
		row->own_hold = HELD_WITHOUT_SHARES;
	}
	list->without_shares++;
}

/* Sets the row of a job whose priority an administrator has set. Its factors become 0, as slurmctld
 * computes none for such a job. */
static void set_by_administrator(const struct job_list *list, const struct job *job,
				 struct job_row *row)
{
	clear_terms(list, row);
	row->is_set = true;
	row->place = NAN;
	row->priority = job->set_priority;
}

/* Computes factors and priority of one row. */
static void evaluate_row(struct job_batch *batch, size_t index)
{
	const struct row_origin *origin = &batch->origin[index];
	const struct job_queue *job_queue = &batch->queues.queue[origin->queue];
	struct job_list *list = batch->list;
	struct evaluated_row current = { .row = &list->row[index], .given = origin->job,
				    .node = origin->node, .job_queue = job_queue,
				    .scheme = &batch->queues.scheme[job_queue->scheme] };

	current.queue = queue_of(batch, current.given, job_queue->partition);
	current.job = job_of(batch, &current);
	if (batch->is_flux)
		weigh_by_flux(batch, &current);
	else
		weigh_by_slurm(batch, &current);
	if (batch->formula)
		set_by_formula(batch, &current);
	/* what follows replaces that priority; as in slurmctld, fathom leaves alone what an
	 * administrator has set, also of a job whose user has no shares */
	if (current.given->set_priority > 0) {
		set_by_administrator(list, current.given, current.row);
	} else if (!may_run(&current)) {
		if (!list->without_shares)
			list->never_starting_policy = current.scheme->policy;
		job_list_set_lowest(list, current.row, batch->rule->holds_without_shares);
	}
	if (current.row->is_held)
		current.row->priority = 0;
}

/* ---- all jobs -------------------------------------------------------------------------------- */

void job_list_add_weighted_tres(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->settings.tres_count; i++)
		jobs_find_tres(jobs, jobs->settings.tres[i].name);	/* which adds it */
}

/* Returns why a job waits, a clause. NULL: its priority alone matters, the reason is not known, or
 * fathom holds it, so that own_hold tells why. */
static const char *reason_of(const struct jobs *jobs, const struct job *job)
{
	if (job->own_hold != JOBS_NONE)
		return NULL;
	if (job->reason_clause != JOBS_NONE)
		return jobs_text(jobs, job->reason_clause);
	return job->reason == JOBS_NONE ? NULL : job_reason_clause(jobs_text(jobs, job->reason));
}

/* Adds the row of a job in a partition, without factors, and its origin. name: of the partition;
 * NULL for a job that asks for none. */
static void add_row(struct job_batch *batch, const struct job *job, const char *name)
{
	const struct jobs *jobs = batch->jobs;
	struct job_row *row = job_list_add(batch->list);
	size_t queue = job_queues_find(&batch->queues, name);
	size_t scheme = batch->queues.queue[queue].scheme;

	row->id = job->id;
	row->state = job->state;
	row->user = jobs_text(jobs, job->user);
	row->account = jobs_text(jobs, job->account);
	row->qos = jobs_text(jobs, job->qos_name);
	row->partition = name;
	row->scope = scheme ? batch->rule->scope[scheme - 1].name : NULL;
	row->is_held = job->held;
	row->own_hold = jobs_text(jobs, job->own_hold);
	row->reason = reason_of(jobs, job);
	row->depends = job->depends;
	row->waits = job->waits;
	NEED_ADD(batch->origin, batch->origin_count, (struct row_origin){
		 job, queue, job_associations_find(&batch->associations, row) });
}

/* Adds a row for each job and each partition that it asks for; one for a job that asks for none. */
static void add_rows(struct job_batch *batch)
{
	const struct jobs *jobs = batch->jobs;

	for (size_t i = 0; i < jobs->job_count; i++) {
		const struct job *job = &jobs->job[i];
		size_t first = job->first_requested;

		if (!job->requested_count)
			add_row(batch, job, NULL);
		for (size_t j = first; j < first + job->requested_count; j++)
			add_row(batch, job, jobs_text(jobs, jobs->requested[j].name));
	}
}

/* Makes the list, and sets weights and TRES. */
static void create_list(struct job_list *list, struct jobs *jobs)
{
	const struct job_settings *settings = &jobs->settings;

	job_list_add_weighted_tres(jobs);
	job_list_create(list, jobs->tres_count);
	/* the first settings are the weights, in the order of enum job_factor */
	memcpy(list->weight, settings->value, sizeof(list->weight));
	list->max_age = settings->value[JOB_MAX_AGE];
	list->increases_only = settings->rules & JOB_INCREASES_ONLY;
	for (size_t i = 0; i < list->tres_count; i++)
		list->tres_name[i] = jobs_text(jobs, jobs->tres[i]);
	for (size_t i = 0; i < settings->tres_count; i++)
		list->tres_weight[jobs_tres_named(jobs, settings->tres[i].name)] =
			settings->tres[i].weight;
}

/* Fills the batch, but for the formula, and makes a row for each job and partition, still without
 * factors. */
static void prepare_batch(struct job_batch *batch)
{
	struct job_list *list = batch->list;
	const struct job_rule *rule = batch->rule;

	batch->job_tres = need_zeros(list->tres_count, sizeof(*batch->job_tres));
	batch->partition_tres = need_zeros(list->tres_count, sizeof(*batch->partition_tres));
	batch->plain_tres_weight = need_zeros(list->tres_count, sizeof(*batch->plain_tres_weight));
	make_configs(batch);
	find_highest(batch);
	if (batch->is_flux) {
		batch->flux = fathom_flux_weights(&rule->settings);
		job_list_set_flux_weights(list, &rule->settings);
		list->fallback = "a fairshare of 0.5";	/* as weigh_by_flux() does */
	}
	batch->queues = job_queues_create(batch->jobs, rule);
	if (rule->snapshot)
		job_associations_create(&batch->associations, rule->snapshot);
	add_rows(batch);
	job_queues_classify(&batch->queues);
}

/* Computes factors and priorities of all rows. May be called again: the second round replaces what
 * the first has set. */
static void evaluate_rows(struct job_batch *batch)
{
	batch->list->without_shares = 0;
	batch->tally = (struct fathom_formula_tally){ 0 };
	for (size_t i = 0; i < batch->list->count; i++)
		evaluate_row(batch, i);
}

/* Computes the rows; twice if the policy places jobs: places depend on the priorities without fair
 * share, and in the second round a place gives the fair-share factor. */
static void evaluate_with_places(struct job_batch *batch)
{
	evaluate_rows(batch);
	if (!batch->rule->snapshot || !job_places_wanted(&batch->queues))
		return;
	batch->list->has_places = true;
	batch->place_count = job_places_set(batch->list, batch->origin, &batch->queues);
	evaluate_rows(batch);
}

int job_list_evaluate(struct job_list *list, struct jobs *jobs, const struct job_rule *rule,
		      struct fathom_warnings *warnings, struct fathom_error *error)
{
	struct job_batch batch = {
		.jobs = jobs, .rule = rule, .list = list,
		.is_flux = fathom_policy_priority_rule(rule->policy) == FATHOM_FLUX_PRIORITY &&
			   !rule->formula,
	};

	create_list(list, jobs);
	prepare_batch(&batch);
	if (formula_create(&batch, warnings, error))
		return -1;
	evaluate_with_places(&batch);
	if (batch.formula)
		fathom_formula_report(&batch.tally, rule->scale, warnings);
	return 0;
}
