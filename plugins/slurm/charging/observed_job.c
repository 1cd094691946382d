/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a job record member by member: whom the run is charged to (its id), what each second costs
 * (its rate), and its parts on the hosts of scopes. Records of slurmctld need some care: fields of
 * a requeued job change while its nodes are cleaned up.
 */
#include "charging/observed_job.h"

#include "core/valid_usage.h"

bool job_is_running(const job_record_t *job)
{
	return (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) && !IS_JOB_POWER_UP_NODE(job) &&
	       job->start_time > 0 && job->assoc_ptr;
}

bool job_has_ended(const job_record_t *job)
{
	return (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job)) && job->start_time > 0 &&
	       job->end_time > job->start_time && job->assoc_ptr;
}

/* While the nodes of a requeued job are cleaned up, which may take minutes, end_time tells when it
 * was requeued; but those of a later run may be cleaned up by now. Then slurmctld clears end_time
 * and submits the job again. Until the job starts again, time_last_active tells; but a restart of
 * slurmctld sets it to a later time. */
double job_requeue_time(const job_record_t *job, double start, time_t now)
{
	time_t requeued;

	if (!job->details)
		return 0;
	if (IS_JOB_COMPLETING(job) && (double)job->start_time == start)
		return (double)MIN(job->end_time, now);
	requeued = MIN(job->details->submit_time, now);
	if (IS_JOB_PENDING(job) && job->time_last_active)
		requeued = MIN(requeued, job->time_last_active);
	return (double)requeued;
}

/* ---- whom it is charged to ------------------------------------------------------- */

/* Returns the id of the account that the job's association is in; for the root, which is in none,
 * the root's. */
static uint32_t account_id(const job_record_t *job)
{
	const slurmdb_assoc_rec_t *account = job->assoc_ptr->usage->parent_assoc_ptr;

	return account ? account->id : job->assoc_id;
}

/* Returns the id of the partition's own QOS; 0: it has none, or that is also the job's QOS, which
 * must be charged once. */
static uint32_t partition_qos_id(const job_record_t *job)
{
	const slurmdb_qos_rec_t *qos = job->part_ptr ? job->part_ptr->qos_ptr : NULL;

	return qos && qos != job->qos_ptr ? qos->id : 0;
}

/* Sets whom the run is charged to. The account's record is far away in memory, so it is read only
 * for the first charge of a run; then the ledger's row tells the account. known: that row, or
 * NULL. */
static void observe_id(struct fathom_run_id *id, const job_record_t *job,
		       const struct fathom_ledger_row *known)
{
	bool has_account = known && known->run.id.account &&
			   known->run.id.association == job->assoc_id;

	id->job = job->job_id;
	id->association = job->assoc_id;
	id->account = has_account ? known->run.id.account : account_id(job);
	id->qos = job->qos_ptr ? job->qos_ptr->id : 0;
	id->partition_qos = partition_qos_id(job);
	id->partition = job->part_ptr ? job->part_ptr->name : NULL;
	id->leaf = 0;		/* run_leaves.c finds it once the run is known */
	id->array = job->array_job_id;
}

/* ---- what it is charged ------------------------------------------------------------ */

double job_usage_factor(const job_record_t *job)
{
	const slurmdb_qos_rec_t *qos = job->qos_ptr;

	return qos && qos->usage_factor >= 0 ? valid_usage(qos->usage_factor) : 1;
}

double job_limit_seconds(const job_record_t *job)
{
	bool has_limit = job->time_limit != INFINITE && job->time_limit != NO_VAL;

	return has_limit ? (double)job->time_limit * 60 : -1;
}

/* Returns what each second of the job costs, in billing TRES. It is computed for every charge,
 * because the copy in the record is not renewed when a job is requeued into another partition. */
static double billing_rate(const job_record_t *job)
{
	const bool tres_is_locked = true;
	double rate;

	if (!job->tres_alloc_cnt)
		return 0;
	if (!job->part_ptr || !job->part_ptr->billing_weights)
		return job->total_cpus;
	rate = assoc_mgr_tres_weighted(job->tres_alloc_cnt, job->part_ptr->billing_weights,
				       slurm_conf.priority_flags, tres_is_locked);
	/* a finite rate, as an infinite one times 0 seconds would be NaN */
	return rate < 0 ? rate : valid_usage(rate);
}

/* Sets what each second of the run costs, without its parts. tres: an array of OBSERVED_TRES, which
 * is filled, and to which *rate then points. */
static void observe_rate(struct fathom_run_rate *rate, const job_record_t *job, uint64_t *tres)
{
	bool has_tres = job->tres_alloc_cnt && slurmctld_tres_cnt > 0;

	rate->billing = billing_rate(job);
	rate->cpu_use = 0;	/* slurmctld does not know it: the CPUs count */
	rate->usage_factor = job_usage_factor(job);
	rate->limit = job_limit_seconds(job);
	rate->tres = tres;
	rate->tres_count = has_tres ? (uint32_t)slurmctld_tres_cnt : 0;
	for (uint32_t i = 0; i < rate->tres_count; i++)
		tres[i] = charged_count(i, job->tres_alloc_cnt[i]);
	rate->part = NULL;
	rate->part_count = 0;
}

/* ---- its parts -------------------------------------------------------------------- */

bool run_parts_are_known(const job_record_t *job)
{
	const job_resources_t *resources = job->job_resrcs;

	return resources && resources->node_bitmap && resources->cpus &&
	       bit_size(resources->node_bitmap) <= node_record_count;
}

/* Adds the CPUs that the job has on each node to part[scheme of the node]. Returns its CPUs on all
 * nodes. resources->cpus has an entry for each node of the job, in the order of node_bitmap; `host`
 * is the index of that entry. */
static uint64_t add_nodes(const job_resources_t *resources, const struct settings *settings,
			  struct fathom_run_part *part)
{
	bitstr_t *nodes = resources->node_bitmap;
	uint64_t all = 0;
	uint32_t host = 0;

	for (int i = (int)bit_ffs(nodes), last = (int)bit_fls(nodes);
	     i >= 0 && i <= last && host < resources->nhosts; i++) {
		if (!bit_test(nodes, i))
			continue;
		part[scopes_node(settings, i)].cpus += resources->cpus[host];
		all += resources->cpus[host++];
	}
	return all;
}

uint32_t run_parts(const job_record_t *job, const struct settings *settings,
		   struct fathom_run_part *part)
{
	uint64_t all;
	uint32_t count = 0;

	for (size_t i = 0; i < settings->scheme_count; i++)
		part[i] = (struct fathom_run_part){ .hosts = settings->scheme[i].name };
	all = add_nodes(job->job_resrcs, settings, part);
	/* drop part[0], which has the CPUs on hosts of no scope, and parts without CPUs; the others
	 * move to the front */
	for (size_t i = 1; i < settings->scheme_count; i++) {
		if (!part[i].cpus)
			continue;
		part[count] = part[i];
		part[count++].all_cpus = all;
	}
	return count;
}

/* Sets the parts of the run: in part[], an array of RUN_PARTS; or if the job's record does not tell
 * its hosts, to the parts that the ledger's row `known` has of the same run, if any. */
static void add_parts(struct fathom_run_rate *rate, const job_record_t *job,
		      const struct settings *settings, const struct fathom_ledger_row *known,
		      struct fathom_run_part *part)
{
	if (!settings->has_hosts)
		return;
	if (run_parts_are_known(job)) {
		rate->part = part;
		rate->part_count = run_parts(job, settings, part);
	} else if (known && known->start == (double)job->start_time) {
		rate->part = known->run.rate.part;
		rate->part_count = known->run.rate.part_count;
	}
}

/* ---- all of it ------------------------------------------------------------------------ */

/* Sets each member by itself, as copying whole structs would cost as much as all the rest. */
void job_observe(struct fathom_observed_job *observed, const job_record_t *job,
		 const struct settings *settings, const struct fathom_ledger_row *known, time_t now,
		 uint64_t *tres, struct fathom_run_part *part)
{
	bool is_another_run = known && known->start != (double)job->start_time;

	observe_id(&observed->run.id, job, known);
	observe_rate(&observed->run.rate, job, tres);
	add_parts(&observed->run.rate, job, settings, known, part);
	observed->start = (double)job->start_time;
	observed->resized = (double)job->resize_time;
	observed->requeued = is_another_run ? job_requeue_time(job, known->start, now) : 0;
	/* not tot_sus_time: when a suspended job is cancelled, it includes time after the job's
	 * end */
	observed->switched = (double)job->suspend_time;
	observed->ran = (double)job->pre_sus_time;
	observed->suspended = IS_JOB_SUSPENDED(job);
	/* slurmctld reserves no seconds (GrpTRESRunMins) if limits are not enforced; they have been
	 * given back if the end has been charged (end_time_exp NO_VAL) */
	observed->reserved = job_limits_are_enforced() && job->end_time_exp != (time_t)NO_VAL
				     ? (double)job->time_limit * 60 : -1;
}
