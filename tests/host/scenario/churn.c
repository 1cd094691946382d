/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/churn.h"

#define ACCOUNTS 3		/* in each of which are as many */
#define USERS 4
#define USERS_MOST 120
#define BILLING "CPU=1.0,Mem=0.25G,GRES/gpu=2.5"

struct churn_job churn_jobs[CHURN_JOBS];
static struct host_association *outer[ACCOUNTS], *inner[ACCOUNTS * ACCOUNTS];
static struct host_association *users[USERS_MOST];
static unsigned user_count;
static const slurmctld_lock_t request = { .job = WRITE_LOCK, .node = READ_LOCK,
					  .part = READ_LOCK };

/* ---- the cluster ------------------------------------------------------------------ */

static struct host_association *new_account(struct host_association *parent, unsigned number)
{
	char name[32];

	snprintf(name, sizeof(name), "account%u", number);
	return host_account(parent, name, 1 + host_random_below(20));
}

static void add_user(struct host_association *account)
{
	char name[32];

	snprintf(name, sizeof(name), "user%u", user_count);
	users[user_count++] = host_user(account, name, 1 + host_random_below(20));
}

void churn_grow(void)
{
	unsigned accounts = 0;

	host_qos("high", 100, 2, 0);
	host_qos("low", 0, 0.5, 0);
	host_qos("eternal", 1, 1, QOS_FLAG_NO_DECAY);
	for (unsigned i = 0; i < ACCOUNTS; i++) {
		outer[i] = new_account(host_root(), ++accounts);
		for (unsigned j = 0; j < ACCOUNTS; j++) {
			struct host_association *account = new_account(outer[i], ++accounts);

			inner[i * ACCOUNTS + j] = account;
			for (unsigned k = 0; k < USERS; k++) {
				add_user(account);
				users[user_count - 1]->usage = host_random_below(1000000);
			}
		}
	}
}

void churn_populate(void)
{
	host_partition("gpu", 10, BILLING);
	host_partition("long", 3, NULL);
}

/* ---- choices ---------------------------------------------------------------------- */

static bool has_limits(void)
{
	return accounting_enforce & ACCOUNTING_ENFORCE_LIMITS;
}

/* One of them in that state; NULL: there is none. */
static struct churn_job *some_job(unsigned states)
{
	unsigned first = host_random_below(CHURN_JOBS);

	for (unsigned i = 0; i < CHURN_JOBS; i++) {
		struct churn_job *job = &churn_jobs[(first + i) % CHURN_JOBS];

		if (job->record && (states & 1u << job->state))
			return job;
	}
	return NULL;
}

static struct host_association *some_user(void)
{
	struct host_association *user;

	do
		user = users[host_random_below(user_count)];
	while (!user->record);
	return user;
}

static bool has_jobs(const struct host_association *user)
{
	for (unsigned i = 0; i < CHURN_JOBS; i++)
		if (churn_jobs[i].record && churn_jobs[i].user == user)
			return true;
	return false;
}

/* ---- jobs ------------------------------------------------------------------------- */

static void submit(time_t last_pass)
{
	static const char *const qos[] = { "normal", "high", "low", "eternal" };
	static const char *const partitions[] = { "batch", "gpu", "long" };
	struct churn_job *job = churn_jobs;
	uint32_t partition = host_random_below(3);

	while (job < churn_jobs + CHURN_JOBS && job->record)
		job++;
	if (job == churn_jobs + CHURN_JOBS)
		return;
	*job = (struct churn_job){
		.user = some_user(), .qos = qos[host_random_below(4)],
		.is_weighted = partition == 1,
		.cpus = 1 + host_random_below(64), .gpus = host_random_below(3),
		.memory = 512 * host_random_below(16), .is_ranked = true,
	};
	job->record = host_job(&(struct host_job){
		.user = job->user, .qos = job->qos, .cpus = job->cpus, .gpus = job->gpus,
		.memory = job->memory, .minutes = 1 + host_random_below(1000),
		.age = host_random_below(400000), .nice = (int)host_random_below(100),
		.partition = { host_find_partition(partitions[partition]) } });
}

static void begin(time_t last_pass)
{
	struct churn_job *job = some_job(1u << CHURN_WAITS);

	if (!job)
		return;
	job->state = CHURN_RUNS;
	job->begin = host_now();
	job->resized = 0;
	job->cpus = job->record->details->min_cpus;
	host_job_begin(job->record, job->begin);
}

static void end(time_t last_pass)
{
	struct churn_job *job = some_job(1u << CHURN_RUNS | 1u << CHURN_STANDS);

	if (!job)
		return;
	job->state = CHURN_IS_OVER;
	host_job_end(job->record);
	host_job_cleaned(job->record);
	job->end = host_now();
}

/* A run, or a size, that no pass has seen is not known any more, without limits. */
static void requeue(time_t last_pass)
{
	struct churn_job *job = some_job(1u << CHURN_RUNS);

	if (!job || (!has_limits() && (job->begin >= last_pass || job->resized >= last_pass)))
		return;
	job->state = CHURN_WAITS;
	job->is_ranked = true;
	lock_slurmctld(request);
	job->record->direct_set_prio = 0;
	unlock_slurmctld(request);
	host_job_requeue(job->record);
	host_job_cleaned(job->record);
	host_job_set_priority(job->record);
}

static void forget(time_t last_pass)
{
	struct churn_job *job = some_job(1u << CHURN_IS_OVER);

	if (!job || (!has_limits() && job->end >= last_pass))
		return;
	host_job_purge(job->record);
	job->record = NULL;
}

static void suspend(time_t last_pass)
{
	struct churn_job *job = some_job(1u << CHURN_RUNS);

	if (!job)
		return;
	job->state = CHURN_STANDS;
	host_job_suspend(job->record);
}

static void resume(time_t last_pass)
{
	struct churn_job *job = some_job(1u << CHURN_STANDS);

	if (!job)
		return;
	job->state = CHURN_RUNS;
	host_job_resume(job->record);
}

/* Of two between two passes the first is not known, without limits. */
static void resize(time_t last_pass)
{
	struct churn_job *job = some_job(1u << CHURN_RUNS);

	if (!job || (!has_limits() && (job->begin >= last_pass || job->resized >= last_pass)))
		return;
	job->resized = host_now();
	job->cpus = 1 + host_random_below(64);
	host_job_resize(job->record, job->cpus);
}

static void set_priority(struct churn_job *job, uint32_t priority)
{
	lock_slurmctld(request);
	job->record->direct_set_prio = priority != 0;
	job->record->priority = priority;
	unlock_slurmctld(request);
}

static void hold(time_t last_pass)
{
	struct churn_job *job = some_job(1u << CHURN_WAITS);

	if (!job)
		return;
	job->is_ranked = false;
	job->priority = host_random_below(2) ? 12345 : 0;
	set_priority(job, job->priority);
}

static void release(time_t last_pass)
{
	struct churn_job *job = some_job(1u << CHURN_WAITS);

	if (!job)
		return;
	job->is_ranked = true;
	set_priority(job, 0);
	host_job_set_priority(job->record);
}

static void change_account(time_t last_pass)
{
	struct churn_job *job = some_job(1u << CHURN_WAITS);
	struct host_association *user = some_user();

	if (!job)
		return;
	lock_slurmctld(request);
	job->user = user;
	job->record->assoc_ptr = user->record;
	job->record->assoc_id = user->id;
	unlock_slurmctld(request);
	if (job->is_ranked)
		host_job_set_priority(job->record);
}

/* ---- associations ----------------------------------------------------------------- */

static void add(struct churn_change *change)
{
	if (user_count < USERS_MOST)
		add_user(inner[host_random_below(ACCOUNTS * ACCOUNTS)]);
}

static void remove_user(struct churn_change *change)
{
	struct host_association *user = some_user();

	if (has_jobs(user))
		return;
	host_remove(user);
	*change = (struct churn_change){ CHURN_REMOVED, user };
}

static void move(struct churn_change *change)
{
	host_move(inner[host_random_below(ACCOUNTS * ACCOUNTS)],
		  outer[host_random_below(ACCOUNTS)]);
}

static void set_shares(struct churn_change *change)
{
	struct host_association *association =
		host_random_below(2) ? some_user() : inner[host_random_below(ACCOUNTS)];

	host_set_shares(association, 1 + host_random_below(30));
}

static void set_association_priority(struct churn_change *change)
{
	host_set_association_priority(some_user(), host_random_below(100));
}

static void reset(struct churn_change *change)
{
	*change = (struct churn_change){
		CHURN_RESET, host_random_below(3) ? some_user()
						  : inner[host_random_below(ACCOUNTS * ACCOUNTS)] };
	host_reset_usage(change->association);
}

static void sort(struct churn_change *change)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	host_sort_associations();
	assoc_mgr_unlock(&locks);
}

/* ---- the rest --------------------------------------------------------------------- */

static void recount(struct churn_change *change)
{
	host_recount_run_seconds();
	priority_g_reconfig(true);
}

static void set_half_life(struct churn_change *change)
{
	slurmctld_lock_t locks = { .conf = WRITE_LOCK };

	lock_slurmctld(locks);
	slurm_conf.priority_decay_hl = 3600 * host_random_below(48);
	unlock_slurmctld(locks);
	priority_g_reconfig(false);
	change->kind = CHURN_HALF_LIFE;
}

/* ---- one of them ------------------------------------------------------------------ */

/* How often, in all; those of jobs first. */
static const struct {
	unsigned weight;
	void (*of_job)(time_t last_pass);
	void (*of_all)(struct churn_change *change);
	bool after_a_pass, wakes;
} actions[] = {
	{ 60, submit, NULL, false, false }, { 40, begin, NULL, false, false },
	{ 25, end, NULL, false, false }, { 12, requeue, NULL, false, false },
	{ 20, forget, NULL, false, false }, { 10, suspend, NULL, false, false },
	{ 8, resume, NULL, false, false }, { 12, resize, NULL, false, false },
	{ 6, hold, NULL, false, false }, { 6, release, NULL, false, false },
	{ 8, change_account, NULL, false, false },
	{ 6, NULL, add, false, false }, { 4, NULL, remove_user, false, false },
	{ 4, NULL, move, false, false }, { 6, NULL, set_shares, false, false },
	{ 4, NULL, set_association_priority, false, false }, { 4, NULL, reset, true, false },
	{ 4, NULL, sort, false, false }, { 2, NULL, recount, true, true },
	{ 2, NULL, set_half_life, true, true },
};
#define ACTIONS (sizeof(actions) / sizeof(*actions))

struct churn_change churn(void (*pass)(void), time_t last_pass)
{
	struct churn_change change = { CHURN_NOTHING, NULL };
	unsigned all = 0, chosen;
	size_t at = 0;

	for (size_t i = 0; i < ACTIONS; i++)
		all += actions[i].weight;
	for (chosen = host_random_below(all); chosen >= actions[at].weight; at++)
		chosen -= actions[at].weight;
	if (actions[at].after_a_pass && pass)
		pass();
	if (actions[at].of_job)
		actions[at].of_job(last_pass);
	else
		actions[at].of_all(&change);
	if (actions[at].wakes && pass)
		host_await_pass();
	return change;
}
