/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random histories of a cluster. After each pass the figures of the plugin are compared
 * with figures that are computed in another way: the usage of each job from its whole
 * history in closed form, the usage of each account as a sum over the whole tree, and
 * each priority by the formula of the manual page.
 */
#include "scenario/churn.h"
#include "scenario/crash.h"
#include "scenario/host_suite.h"

#define HISTORIES 12
#define PASSES 14
#define CHANGES 25		/* between two passes */
#define PAUSE 21		/* seconds between two changes, at the most */
#define TOLERANCE 1e-9		/* roundings of some hundred sums */
#define IDS 256

#define WEIGHT_AGE 1000
#define WEIGHT_FAIRSHARE 100000
#define WEIGHT_PARTITION 1000
#define WEIGHT_QOS 2000
#define WEIGHT_ASSOC 500
#define AGE_MOST (7 * 86400)

/* ---- what has been used ------------------------------------------------------------ */

struct used {
	double billing, wall, cpu;
};

static struct {
	time_t at;		/* all that follows is true then */
	time_t last_pass;
	double half_life;
	struct used own[IDS], qos[IDS];		/* by id */
} model;

/* As seen when the clock stands at model.at. */
struct run {
	const job_record_t *record;	/* NULL: does not run */
	bool stands;
	uint32_t association, qos;
	double billing, cpus, factor;
	time_t charged_until;
};

static struct run runs[CHURN_JOBS];

static double decay(double seconds)
{
	return model.half_life > 0 ? exp2(-seconds / model.half_life) : 1;
}

static void scale(struct used *used, double by)
{
	used->billing *= by;
	used->wall *= by;
	used->cpu *= by;
}

static bool decays(uint32_t qos)
{
	return qos != host_find_qos("eternal")->id;
}

static void move_clock(void)
{
	double by = decay(difftime(host_now(), model.at));

	for (uint32_t id = 0; id < IDS; id++) {
		scale(&model.own[id], by);
		if (decays(id))
			scale(&model.qos[id], by);
	}
	model.at = host_now();
}

static void add(struct used *used, const struct run *run, double seconds)
{
	used->billing += seconds * run->billing * run->factor;
	used->wall += seconds * run->factor;
	used->cpu += seconds * run->cpus * run->factor;
}

/* The integral of the decay from there until now. */
static void charge(struct run *run)
{
	double seconds = difftime(model.at, run->charged_until), decayed = seconds;

	if (model.half_life > 0)
		decayed = -expm1(-seconds * M_LN2 / model.half_life) * model.half_life / M_LN2;
	add(&model.own[run->association], run, decayed);
	add(&model.qos[run->qos], run, decays(run->qos) ? decayed : seconds);
	run->charged_until = model.at;
}

/* ---- what has happened ------------------------------------------------------------- */

static double factor_of(const struct churn_job *job)
{
	return *job->qos == 'h' ? 2 : *job->qos == 'l' ? 0.5 : 1;
}

static struct run run_of(const struct churn_job *job)
{
	if (!job->record || (job->state != CHURN_RUNS && job->state != CHURN_STANDS))
		return (struct run){ .record = NULL };
	return (struct run){
		.record = job->record, .stands = job->state == CHURN_STANDS,
		.association = job->user->id, .qos = host_find_qos(job->qos)->id,
		.billing = job->is_weighted
			? job->cpus + 0.25 * job->memory / 1024 + 2.5 * job->gpus : job->cpus,
		.cpus = job->cpus, .factor = factor_of(job), .charged_until = host_now(),
	};
}

/* A suspended job is charged like any other; but it ends when it was suspended,
 * if no pass has charged it beyond that. */
static void note_jobs(void)
{
	for (unsigned i = 0; i < CHURN_JOBS; i++) {
		struct run now = run_of(&churn_jobs[i]), *run = &runs[i];

		if (now.record == run->record && now.stands == run->stands &&
		    now.cpus == run->cpus)
			continue;
		if (run->record && !(run->stands && !now.record))
			charge(run);
		*run = now;
	}
}

static bool is_below(const struct host_association *association,
		     const struct host_association *account)
{
	while (association && association != account)
		association = association->parent;
	return association;
}

static void clear_below(const struct host_association *account)
{
	size_t count;
	struct host_association **all = host_associations(&count);

	for (size_t i = 0; i < count; i++)
		if (is_below(all[i], account))
			model.own[all[i]->id] = (struct used){ 0 };
}

static void note_change(const struct churn_change *change)
{
	struct used *own = change->association ? &model.own[change->association->id] : NULL;

	if (change->kind == CHURN_REMOVED) {
		struct used *heir = &model.own[change->association->parent->id];

		heir->billing += own->billing;
		heir->wall += own->wall;
		heir->cpu += own->cpu;
		*own = (struct used){ 0 };
	} else if (change->kind == CHURN_RESET) {
		clear_below(change->association);
	} else if (change->kind == CHURN_HALF_LIFE) {
		model.half_life = slurm_conf.priority_decay_hl;
	}
}

/* ---- what must come of it ------------------------------------------------------------ */

static struct used total_of(const struct host_association *account)
{
	struct used sum = { 0 };
	size_t count;
	struct host_association **all = host_associations(&count);

	for (size_t i = 0; i < count; i++)
		if (is_below(all[i], account)) {
			sum.billing += model.own[all[i]->id].billing;
			sum.wall += model.own[all[i]->id].wall;
			sum.cpu += model.own[all[i]->id].cpu;
		}
	return sum;
}

static uint32_t level_shares(const struct host_association *association)
{
	uint32_t sum = 0;
	size_t count;
	struct host_association **all = host_associations(&count);

	for (size_t i = 0; i < count; i++)
		if (all[i]->record && all[i]->parent == association->parent)
			sum += all[i]->shares;
	return sum;
}

static double norm_shares(const struct host_association *association)
{
	double shares = 1;

	for (; association->parent; association = association->parent)
		shares *= (double)association->shares / level_shares(association);
	return shares;
}

static double norm_usage(const struct host_association *association)
{
	double all = total_of(host_root()).billing;

	return all > 0 ? fmin(total_of(association).billing / all, 1) : 0;
}

static double effective_usage(const struct host_association *association)
{
	double actual = norm_usage(association);

	if (association->parent == host_root())
		return actual;
	return actual + (effective_usage(association->parent) - actual) *
				association->shares / level_shares(association);
}

static double priority_of(const struct churn_job *job)
{
	const job_record_t *record = job->record;
	double age = difftime(host_now(), record->details->accrue_time) / AGE_MOST;
	double partition = record->part_ptr->priority_job_factor / 10.;
	double qos = host_find_qos(job->qos)->priority / 100.;
	double nice = (double)record->details->nice - NICE_OFFSET;
	double fairshare = exp2(-effective_usage(job->user) / norm_shares(job->user));

	return WEIGHT_AGE * fmin(age, 1) + WEIGHT_FAIRSHARE * fairshare +
	       WEIGHT_PARTITION * partition + WEIGHT_QOS * qos +
	       WEIGHT_ASSOC * job->user->record->usage->priority_norm - nice;
}

/* Whole time limits, less what has run of them; by the usage factor. */
static uint64_t running_seconds(const struct host_association *account)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < CHURN_JOBS; i++) {
		const struct churn_job *job = &churn_jobs[i];
		double limit, ran;

		if (!runs[i].record || !is_below(job->user, account))
			continue;
		limit = 60. * job->record->time_limit;
		ran = fmin(difftime(host_now(), job->begin), limit);
		sum += job->cpus * ((uint64_t)(limit * factor_of(job)) -
				    (uint64_t)(ran * factor_of(job)));
	}
	return sum;
}

/* ---- comparing ------------------------------------------------------------------------ */

static unsigned pass_number;

static void compare(const char *what, uint32_t id, long double found, double expected)
{
	double difference = fabs((double)found - expected);

	ck_assert_msg(difference <= TOLERANCE * fabs(expected) + 1e-6,
		      "pass %u: %s %u is %.12g, must be %.12g", pass_number, what, id,
		      (double)found, expected);
}

static void compare_own(const struct host_association *association)
{
	const slurmdb_assoc_usage_t *own = association->record->leaf_usage;

	compare("own usage of", association->id, own ? own->usage_raw : 0,
		model.own[association->id].billing);
}

static void compare_association(const struct host_association *association)
{
	const slurmdb_assoc_rec_t *record = association->record;
	struct used total = total_of(association);

	compare("usage of", association->id, record->usage->usage_raw, total.billing);
	compare("wall time of", association->id, record->usage->grp_used_wall, total.wall);
	compare("CPU seconds of", association->id, record->usage->usage_tres_raw[TRES_ARRAY_CPU],
		total.cpu);
	if (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS)
		compare("running CPU seconds of", association->id,
			record->usage->grp_used_tres_run_secs[TRES_ARRAY_CPU],
			(double)running_seconds(association));
	if (association->user)
		compare("effective usage of", association->id, record->usage->usage_efctv,
			effective_usage(association));
}

static int compare_qos(void *item, void *argument)
{
	const slurmdb_qos_rec_t *qos = item;

	compare("usage of QOS", qos->id, qos->usage->usage_raw, model.qos[qos->id].billing);
	compare("wall time of QOS", qos->id, qos->usage->grp_used_wall, model.qos[qos->id].wall);
	return 0;
}

static void compare_job(const struct churn_job *job)
{
	double expected = job->is_ranked ? fmax(priority_of(job), 1) : job->priority;

	if (job->state == CHURN_WAITS)
		ck_assert_msg(fabs(job->record->priority - expected) <= 1,
			      "pass %u: job %u has priority %u, must have %.2f", pass_number,
			      job->record->job_id, job->record->priority, expected);
}

static void compare_all(void)
{
	size_t count;
	struct host_association **all = host_associations(&count);

	pass_number++;
	move_clock();
	for (unsigned i = 0; i < CHURN_JOBS; i++)
		if (runs[i].record)
			charge(&runs[i]);
	for (size_t i = 0; i < count; i++)
		if (all[i]->record)
			compare_own(all[i]);
	for (size_t i = 0; i < count; i++)
		if (all[i]->record)
			compare_association(all[i]);
	list_for_each(assoc_mgr_qos_list, compare_qos, NULL);
	for (unsigned i = 0; i < CHURN_JOBS; i++)
		if (churn_jobs[i].record)
			compare_job(&churn_jobs[i]);
	model.last_pass = host_now();
}

/* ---- a history --------------------------------------------------------------------------- */

/* Sometimes slurmctld does not survive it for long. */
static void pass(void)
{
	host_advance(1);
	host_pass();
	compare_all();
	if (host_random_below(8))
		return;
	crash_and_restart();
	compare_all();
}

static void open_cluster(const char *enforce)
{
	size_t count;
	struct host_association **all;

	host_configure("PriorityDecayHalfLife=0-6\nPriorityCalcPeriod=1\nPriorityMaxAge=7-0\n"
		       "PriorityFlags=NO_FAIR_TREE\nPriorityWeightAge=%d\n"
		       "PriorityWeightFairshare=%d\nPriorityWeightPartition=%d\n"
		       "PriorityWeightQOS=%d\nPriorityWeightAssoc=%d\n"
		       "AccountingStorageEnforce=%s\n", WEIGHT_AGE, WEIGHT_FAIRSHARE,
		       WEIGHT_PARTITION, WEIGHT_QOS, WEIGHT_ASSOC, enforce);
	host_passed_at(host_now());
	churn_grow();
	host_open();
	churn_populate();
	all = host_associations(&count);
	for (size_t i = 0; i < count; i++)
		model.own[all[i]->id] = (struct used){ all[i]->usage, all[i]->usage / 16,
						       all[i]->usage };
	model.at = model.last_pass = host_now();
	model.half_life = slurm_conf.priority_decay_hl;
}

static void live(void)
{
	host_load(FATHOM_PLUGIN);
	compare_all();
	for (unsigned i = 0; i < PASSES; i++) {
		for (unsigned j = 0; j < CHANGES; j++) {
			struct churn_change change;

			host_advance(host_random_below(PAUSE));
			change = churn(pass, model.last_pass);
			move_clock();
			note_change(&change);
			note_jobs();
		}
		pass();
	}
	ck_assert(host_close());
}

TEST_LOOP(usage_and_priorities_are_what_the_history_makes_them, suite_rounds(HISTORIES))
{
	host_random_seed((uint64_t)_i);
	host_short_slices(_i % 3 == 0);
	open_cluster(_i % 2 ? "associations" : "associations,limits,qos");
	live();
}
