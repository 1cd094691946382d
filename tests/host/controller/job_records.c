/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partitions and jobs, and what slurmctld does to a job in the course of its life. */
#include "controller/host_internal.h"

#include <stdlib.h>
#include <string.h>

#define PARTITION_NODES 1000
#define PARTITION_CPUS 64000

static const slurmctld_lock_t request = { .job = WRITE_LOCK, .node = READ_LOCK,
					  .part = READ_LOCK };
static uint32_t last_job_id;

/* ---- partitions ----------------------------------------------------------------- */

static int normalise(void *partition, void *argument)
{
	part_record_t *record = partition;

	record->norm_priority = (double)record->priority_job_factor / part_max_priority;
	return 0;
}

part_record_t *host_partition(const char *name, uint16_t factor, const char *weights)
{
	part_record_t *partition = xmalloc(sizeof(*partition));

	partition->magic = PART_MAGIC;
	partition->name = xstrdup(name);
	partition->priority_job_factor = factor;
	partition->priority_tier = 1;
	partition->max_time = INFINITE;
	partition->default_time = NO_VAL;
	partition->state_up = PARTITION_UP;
	partition->total_nodes = PARTITION_NODES;
	partition->total_cpus = PARTITION_CPUS;
	partition->tres_cnt = xcalloc(g_tres_count, sizeof(*partition->tres_cnt));
	partition->tres_cnt[TRES_ARRAY_CPU] = PARTITION_CPUS;
	partition->tres_cnt[TRES_ARRAY_NODE] = PARTITION_NODES;
	if (weights) {
		partition->billing_weights_str = xstrdup(weights);
		partition->billing_weights =
			slurm_get_tres_weight_array(partition->billing_weights_str,
						    slurmctld_tres_cnt, true);
	}
	list_append(part_list, partition);
	part_max_priority = MAX(part_max_priority, factor);
	list_for_each(part_list, normalise, NULL);
	return partition;
}

part_record_t *host_find_partition(const char *name)
{
	part_record_t *partition = find_part_record((char *)name);

	if (!partition)
		host_die("no partition is called %s", name);
	return partition;
}

/* Written over first, so that whoever reads it afterwards is found out. */
static void spoil(void *memory)
{
	if (memory)
		memset(memory, 0xa5, xsize(memory));
	xfree(memory);
}

static void free_partition(part_record_t *partition)
{
	spoil(partition->name);
	spoil(partition->tres_cnt);
	spoil(partition->billing_weights_str);
	spoil(partition->billing_weights);
	spoil(partition);
}

static part_record_t *copy_partition(const part_record_t *partition)
{
	size_t size = g_tres_count * sizeof(*partition->tres_cnt);
	part_record_t *copy = xmalloc(sizeof(*copy));

	*copy = *partition;
	copy->name = xstrdup(partition->name);
	copy->tres_cnt = xmalloc(size);
	memcpy(copy->tres_cnt, partition->tres_cnt, MIN(size, xsize(partition->tres_cnt)));
	copy->billing_weights_str = xstrdup(partition->billing_weights_str);
	if (copy->billing_weights_str)
		copy->billing_weights =
			slurm_get_tres_weight_array(copy->billing_weights_str,
						    slurmctld_tres_cnt, true);
	return copy;
}

static int add_namesake(void *partition, void *list)
{
	list_append(list, host_find_partition(((part_record_t *)partition)->name));
	return 0;
}

static int find_namesakes(void *item, void *argument)
{
	job_record_t *job = item;
	compat_list before = job->part_ptr_list;

	if (job->part_ptr)
		job->part_ptr = host_find_partition(job->part_ptr->name);
	if (!before)
		return 0;
	job->part_ptr_list = list_create(NULL);
	list_for_each(before, add_namesake, job->part_ptr_list);
	list_destroy(before);
	return 0;
}

void host_replace_partitions(void)
{
	const slurmctld_lock_t all = { .conf = WRITE_LOCK, .job = WRITE_LOCK,
				       .node = WRITE_LOCK, .part = WRITE_LOCK };
	compat_list before;
	compat_iterator iterator;
	part_record_t *partition;

	lock_slurmctld(all);
	before = part_list;
	part_list = list_create(NULL);
	iterator = list_iterator_create(before);
	while ((partition = list_next(iterator)))
		list_append(part_list, copy_partition(partition));
	list_iterator_destroy(iterator);
	list_for_each(job_list, find_namesakes, NULL);
	while ((partition = list_pop(before)))
		free_partition(partition);
	list_destroy(before);
	unlock_slurmctld(all);
}

static int is_same(void *item, void *other)
{
	return item == other;
}

static int leave_partition(void *item, void *partition)
{
	job_record_t *job = item;

	if (job->part_ptr_list)
		list_delete_all(job->part_ptr_list, is_same, partition);
	if (job->part_ptr_list && !list_count(job->part_ptr_list))
		FREE_NULL_LIST(job->part_ptr_list);
	if (job->part_ptr != partition)
		return 0;
	if (!IS_JOB_FINISHED(job))
		host_die("a partition in use is not deleted");
	job->part_ptr = NULL;
	return 0;
}

void host_delete_partition(const char *name)
{
	const slurmctld_lock_t locks = { .job = WRITE_LOCK, .node = READ_LOCK,
					 .part = WRITE_LOCK };
	part_record_t *partition;

	lock_slurmctld(locks);
	partition = host_find_partition(name);
	list_for_each(job_list, leave_partition, partition);
	list_delete_first(part_list, is_same, partition);
	free_partition(partition);
	unlock_slurmctld(locks);
}

/* ---- a job's record ------------------------------------------------------------- */

static uint64_t *tres_of(const struct host_job *wanted, uint32_t nodes, uint32_t cpus)
{
	uint64_t *tres = xcalloc(g_tres_count, sizeof(*tres));

	tres[TRES_ARRAY_CPU] = cpus;
	tres[TRES_ARRAY_MEM] = wanted->memory * nodes;
	tres[TRES_ARRAY_NODE] = nodes;
	tres[TRES_ARRAY_BILLING] = cpus;
	tres[HOST_TRES_GPU] = wanted->gpus;
	return tres;
}

static void set_details(job_record_t *job, const struct host_job *wanted)
{
	uint32_t nodes = MAX(wanted->nodes, 1), cpus = MAX(wanted->cpus, nodes);

	job->details = xmalloc(sizeof(*job->details));
	job->details->magic = DETAILS_MAGIC;
	job->details->min_nodes = nodes;
	job->details->min_cpus = cpus;
	job->details->max_cpus = NO_VAL;
	job->details->pn_min_memory = wanted->memory;
	job->details->nice = NICE_OFFSET + (uint32_t)wanted->nice;
	job->details->submit_time = job->details->begin_time = job->details->accrue_time =
		host_now() - wanted->age;
	job->tres_req_cnt = tres_of(wanted, nodes, cpus);
}

static void set_partitions(job_record_t *job, const struct host_job *wanted)
{
	job->part_ptr = wanted->partition[0] ? wanted->partition[0] : list_peek(part_list);
	job->partition = xstrdup(job->part_ptr->name);
	if (!wanted->partition[1])
		return;
	job->part_ptr_list = list_create(NULL);
	for (size_t i = 0; i < HOST_JOB_PARTITIONS && wanted->partition[i]; i++)
		list_append(job->part_ptr_list, wanted->partition[i]);
}

/* The record of an array keeps the array's id; what is split off gets one of its own. */
static void set_array(job_record_t *job, const struct host_job *wanted)
{
	if (wanted->array) {
		job->array_job_id = wanted->array->job_id;
		job->array_task_id = --wanted->array->array_recs->task_cnt;
	}
	if (!wanted->tasks)
		return;
	job->array_job_id = job->job_id;
	job->array_recs = xmalloc(sizeof(*job->array_recs));
	job->array_recs->task_cnt = wanted->tasks;
}

static job_record_t *new_job(const struct host_job *wanted)
{
	job_record_t *job = xmalloc(sizeof(*job));

	job->magic = JOB_MAGIC;
	host_number_job(job, ++last_job_id);
	job->array_task_id = NO_VAL;
	job->job_state = JOB_PENDING;
	job->billable_tres = (double)NO_VAL;
	job->site_factor = NICE_OFFSET;
	job->priority = 1;
	job->time_limit = wanted->minutes ? wanted->minutes : 60;
	job->assoc_ptr = wanted->user->record;
	job->assoc_id = wanted->user->id;
	job->user_id = wanted->user->record->uid;
	job->account = xstrdup(wanted->user->account);
	job->comment = xstrdup(wanted->comment);
	job->qos_ptr = host_find_qos(wanted->qos ? wanted->qos : "normal");
	job->qos_id = job->qos_ptr->id;
	set_details(job, wanted);
	set_partitions(job, wanted);
	set_array(job, wanted);
	compat_factors_of(job);
	return job;
}

job_record_t *host_job(const struct host_job *wanted)
{
	job_record_t *job;

	lock_slurmctld(request);
	job = new_job(wanted);
	list_append(job_list, job);
	host_enter_job(job);
	if (host_is_loaded())
		job->priority = priority_g_set(NO_VAL, job);
	unlock_slurmctld(request);
	return job;
}

uint32_t host_job_set_priority(job_record_t *job)
{
	uint32_t priority;

	lock_slurmctld(request);
	priority = job->priority = priority_g_set(NO_VAL, job);
	unlock_slurmctld(request);
	return priority;
}

/* slurmctld only changes the reason of a job that is held already. */
void host_job_hold(job_record_t *job, bool for_user)
{
	lock_slurmctld(request);
	if (job->priority) {
		job->direct_set_prio = 1;
		job->priority = 0;
		xfree(job->state_desc);
	}
	job->state_reason = for_user ? WAIT_HELD_USER : WAIT_HELD;
	unlock_slurmctld(request);
}

void host_job_release(job_record_t *job)
{
	lock_slurmctld(request);
	job->direct_set_prio = 0;
	job->priority = priority_g_set(NO_VAL, job);
	job->state_reason = WAIT_NO_REASON;
	xfree(job->state_desc);
	unlock_slurmctld(request);
}

/* ---- the scheduler --------------------------------------------------------------- */

static bool find_association(job_record_t *job)
{
	slurmdb_assoc_rec_t wanted = { .acct = job->account, .uid = job->user_id };

	if (assoc_mgr_fill_in_assoc(NULL, &wanted, accounting_enforce, &job->assoc_ptr, false))
		return false;
	job->assoc_id = wanted.id;
	return true;
}

static int has_id(void *qos, void *id)
{
	return ((slurmdb_qos_rec_t *)qos)->id == *(uint32_t *)id;
}

static bool find_qos(job_record_t *job)
{
	job->qos_ptr = list_find_first(assoc_mgr_qos_list, has_id, &job->qos_id);
	return job->qos_ptr;
}

static const uint32_t kept_if_held[] = { WAIT_HELD, WAIT_HELD_USER, WAIT_RESV_DELETED,
					 WAIT_MAX_REQUEUE, FAIL_BAD_CONSTRAINTS };

static int schedule(void *item, void *unused)
{
	job_record_t *job = item;
	bool is_kept = job->priority;

	if (!IS_JOB_PENDING(job))
		return 0;
	if ((job->state_reason == FAIL_ACCOUNT && !job->assoc_ptr && find_association(job)) ||
	    (job->state_reason == FAIL_QOS && !job->qos_ptr && find_qos(job))) {
		job->state_reason = WAIT_NO_REASON;
		xfree(job->state_desc);
	}
	for (size_t i = 0; i < sizeof(kept_if_held) / sizeof(*kept_if_held); i++)
		is_kept |= job->state_reason == kept_if_held[i];
	if (!is_kept) {
		job->state_reason = WAIT_HELD;
		xfree(job->state_desc);
	}
	return 0;
}

void host_schedule(void)
{
	lock_slurmctld(request);
	list_for_each(job_list, schedule, NULL);
	unlock_slurmctld(request);
}

/* ---- what slurmdbd changes ------------------------------------------------------ */

/* A pending job waits for what it has lost. */
static void set_lost(job_record_t *job, uint32_t reason)
{
	if (!IS_JOB_PENDING(job))
		return;
	job->state_reason = reason;
	xfree(job->state_desc);
}

static int lose_association(void *item, void *id)
{
	job_record_t *job = item;

	if (job->assoc_id != *(uint32_t *)id)
		return 0;
	set_lost(job, FAIL_ACCOUNT);
	job->assoc_ptr = NULL;
	job->assoc_id = 0;
	return 0;
}

void host_jobs_lose_association(uint32_t id)
{
	list_for_each(job_list, lose_association, &id);
}

/* The job still asks for the QOS. */
static int lose_qos(void *item, void *id)
{
	job_record_t *job = item;

	if (job->qos_id != *(uint32_t *)id)
		return 0;
	set_lost(job, FAIL_QOS);
	job->qos_ptr = NULL;
	return 0;
}

void host_jobs_lose_qos(uint32_t id)
{
	list_for_each(job_list, lose_qos, &id);
}

void host_jobs_find_associations(void)
{
	compat_iterator iterator = list_iterator_create(job_list);
	job_record_t *job;

	while ((job = list_next(iterator))) {
		slurmdb_assoc_rec_t wanted = { .id = job->assoc_id };

		job->assoc_ptr = NULL;
		if (wanted.id)
			assoc_mgr_fill_in_assoc(NULL, &wanted, 0, &job->assoc_ptr, false);
	}
	list_iterator_destroy(iterator);
}

static void grow_array(uint64_t **tres, size_t before)
{
	uint64_t *grown;

	if (!*tres)
		return;
	grown = xcalloc(g_tres_count, sizeof(*grown));
	memcpy(grown, *tres, before * sizeof(*grown));
	spoil(*tres);
	*tres = grown;
}

static int grow_tres(void *item, void *before)
{
	job_record_t *job = item;

	grow_array(&job->tres_req_cnt, *(size_t *)before);
	grow_array(&job->tres_alloc_cnt, *(size_t *)before);
	return 0;
}

void host_jobs_grow_tres(size_t before)
{
	list_for_each(job_list, grow_tres, &before);
}

/* ---- its life ------------------------------------------------------------------- */

static bool has_limits(void)
{
	return accounting_enforce & ACCOUNTING_ENFORCE_LIMITS;
}

static void add_run_seconds(uint64_t *to, const job_record_t *job, double seconds)
{
	for (size_t i = 0; i < g_tres_count; i++)
		if (i != TRES_ARRAY_ENERGY)
			to[i] += job->tres_alloc_cnt[i] * (uint64_t)seconds;
}

/* What a running job may yet use: for its association, all above, and the QOS. */
static void reserve_run_seconds(const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	double factor = job->qos_ptr ? job->qos_ptr->usage_factor : 1;
	double seconds = 60.0 * job->time_limit;

	if (factor >= 0)
		seconds *= factor;
	assoc_mgr_lock(&locks);
	if (job->qos_ptr)	/* else it has been removed */
		add_run_seconds(job->qos_ptr->usage->grp_used_tres_run_secs, job, seconds);
	for (slurmdb_assoc_rec_t *record = job->assoc_ptr; record;
	     record = record->usage->parent_assoc_ptr)
		add_run_seconds(record->usage->grp_used_tres_run_secs, job, seconds);
	assoc_mgr_unlock(&locks);
}

/* The list's own lock is not to be held over those of assoc_mgr. */
void host_recount_run_seconds(void)
{
	compat_iterator iterator;
	job_record_t *job;

	lock_slurmctld(request);
	assoc_mgr_clear_used_info();
	iterator = list_iterator_create(job_list);
	while (has_limits() && (job = list_next(iterator)))
		if (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job))
			reserve_run_seconds(job);
	list_iterator_destroy(iterator);
	unlock_slurmctld(request);
}

static void allocate(job_record_t *job, uint32_t cpus)
{
	size_t size = g_tres_count * sizeof(*job->tres_alloc_cnt);

	xfree(job->tres_alloc_cnt);
	job->tres_alloc_cnt = xmalloc(size);
	memcpy(job->tres_alloc_cnt, job->tres_req_cnt, size);
	job->tres_alloc_cnt[TRES_ARRAY_CPU] = cpus;
	job->total_cpus = job->cpu_cnt = cpus;
	job->node_cnt = job->total_nodes = job->details->min_nodes;
	job->tres_alloc_cnt[TRES_ARRAY_BILLING] =
		(uint64_t)calc_job_billable_tres(job, job->start_time, false);
}

void host_job_begin(job_record_t *job, time_t start)
{
	lock_slurmctld(request);
	job->job_state = JOB_RUNNING;
	job->start_time = job->time_last_active = start;
	job->end_time = job->end_time_exp = start + 60 * (time_t)job->time_limit;
	job->suspend_time = job->pre_sus_time = job->tot_sus_time = 0;
	job->resize_time = 0;
	job->billable_tres = (double)NO_VAL;
	host_forget_partitions(job);
	allocate(job, job->details->min_cpus);
	if (has_limits())
		reserve_run_seconds(job);
	unlock_slurmctld(request);
}

void host_job_suspend(job_record_t *job)
{
	time_t now = host_now();

	lock_slurmctld(request);
	job->pre_sus_time += now - (job->suspend_time ? job->suspend_time : job->start_time);
	job->suspend_time = now;
	job->job_state = JOB_SUSPENDED;
	unlock_slurmctld(request);
}

void host_job_resume(job_record_t *job)
{
	time_t now = host_now();

	lock_slurmctld(request);
	job->tot_sus_time += now - job->suspend_time;
	job->end_time = job->end_time_exp =
		now + 60 * (time_t)job->time_limit - job->pre_sus_time;
	job->suspend_time = now;
	job->job_state = JOB_RUNNING;
	unlock_slurmctld(request);
}

/* To slurmctld it is an end and a start. */
void host_job_resize(job_record_t *job, uint32_t cpus)
{
	lock_slurmctld(request);
	job->job_state |= JOB_RESIZING;
	job->resize_time = host_now();
	if (has_limits())
		priority_g_job_end(job);
	allocate(job, cpus);
	if (has_limits())
		reserve_run_seconds(job);
	job->job_state &= ~(uint32_t)JOB_RESIZING;
	job->end_time_exp = job->end_time;
	unlock_slurmctld(request);
}

/* By a request that has its locks. */
static void end(job_record_t *job, uint32_t state)
{
	bool suspended = IS_JOB_SUSPENDED(job);

	job->end_time = suspended ? job->suspend_time : host_now();
	job->job_state = state | JOB_COMPLETING;
	if (has_limits())
		priority_g_job_end(job);
}

void host_job_end(job_record_t *job)
{
	lock_slurmctld(request);
	end(job, JOB_COMPLETE);
	unlock_slurmctld(request);
}

void host_job_requeue(job_record_t *job)
{
	lock_slurmctld(request);
	end(job, JOB_PENDING);
	job->time_last_active = host_now();
	unlock_slurmctld(request);
}

/* Up to 24.05 slurmctld does not ask for a new priority here. */
void host_job_cleaned(job_record_t *job)
{
	lock_slurmctld(request);
	job->job_state &= ~(uint32_t)JOB_COMPLETING;
	if (IS_JOB_PENDING(job)) {
		job->details->submit_time = host_now();
		job->start_time = job->end_time = job->end_time_exp = 0;
		job->suspend_time = job->pre_sus_time = job->tot_sus_time = 0;
		job->total_cpus = job->cpu_cnt = job->node_cnt = job->total_nodes = 0;
		job->billable_tres = (double)NO_VAL;
		xfree(job->tres_alloc_cnt);
	}
	unlock_slurmctld(request);
}

void host_job_purge(job_record_t *job)
{
	lock_slurmctld(request);
	host_forget_job(job);
	list_delete_first(job_list, is_same, job);
	unlock_slurmctld(request);
	host_forget_partitions(job);
	host_free_factors(job);
	spoil(job->tres_req_cnt);
	spoil(job->tres_alloc_cnt);
	spoil(job->account);
	spoil(job->partition);
	spoil(job->state_desc);
	spoil(job->comment);
	spoil(job->details);
	spoil(job->array_recs);
	spoil(job);
}
