/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each event in slurmctld comes at each step of a pass. After the next pass all figures
 * must be the same as if the event had come right after the first pass.
 */
#include "scenario/crash.h"
#include "scenario/events.h"
#include "scenario/host_files.h"
#include "scenario/plugin_figures.h"
#include "scenario/host_suite.h"

#include <sys/mman.h>
#include <sys/wait.h>

#define LATE 7		/* seconds after its begin, that a pass may still be under way */

static const struct cluster {
	const char *name, *lines;
	bool reset;		/* usage, in the pass that is disturbed */
	const char *conf;	/* of fathom's own, or NULL */
} clusters[] = {
	{ "Fair Tree with limits", "", false, NULL },
	{ "classic without limits",
	  "PriorityFlags=NO_FAIR_TREE\nAccountingStorageEnforce=associations\n", false, NULL },
	{ "depth-oblivious with a reset",
	  "PriorityFlags=DEPTH_OBLIVIOUS\nPriorityUsageResetPeriod=DAILY\n", true, NULL },
	{ "a scope and a pool with figures", "", false,
	  "ShadowPolicy=lsf\nFiguresFile=fathom.json\nScope=fast Partitions=gpu,spare\n"
	  "SlotPool=x Partition=debug SlotShare=50\nSlotPool=x Partition=long SlotShare=50\n" },
};
#define CLUSTERS (sizeof(clusters) / sizeof(*clusters))

/* ---- one course of events -------------------------------------------------------- */

struct course {
	const struct event *event;
	enum { BEFORE, BESIDE, AFTER } when;
	uint64_t step;		/* of the pass, for BESIDE */
	time_t late;
	bool killed;		/* slurmctld, when the event is saved */
	bool with_pools;	/* where priorities go by who held what, and when */
};

/* What a child tells. */
struct outcome {
	uint64_t steps;
	unsigned wrong_sums;
	struct figures figures;
};

static void happen(void *argument)
{
	const struct course *course = argument;

	if (course->when != BEFORE)
		host_advance(course->late);
	course->event->happen();
}

static void disturbed_pass(const struct course *course)
{
	if (course->when == BESIDE)
		host_beside_pass(course->step, happen, (void *)course);
	if (course->when != BEFORE) {
		host_pass();
	} else {
		host_advance(slurm_conf.priority_calc_period);
		happen((void *)course);
		if (course->event->flags & EVENT_WAKES)
			host_await_pass();
		else
			host_wake();
	}
}

static bool is_saved_late(const struct event *event)
{
	return event->flags & EVENT_IS_NOT_SAVED;
}

static void take_figures(const struct course *course, struct outcome *outcome)
{
	unsigned flags = course->event->flags;

	if (flags & EVENT_SPOILS_USAGE)
		return;		/* that all goes on is what can be seen */
	outcome->wrong_sums = figures_are_sums(course->event->name);
	figures_take_usage(&outcome->figures);
	if (!course->with_pools && !(flags & EVENT_COMES_BETWEEN))
		figures_take_priorities(&outcome->figures);
}

static void follow(const struct course *course, struct outcome *outcome)
{
	host_short_slices(true);
	host_load(FATHOM_PLUGIN);
	disturbed_pass(course);
	outcome->steps = host_last_pass()->steps;
	if (course->when == AFTER) {
		happen((void *)course);
		if (course->event->flags & EVENT_WAKES)
			host_await_pass();
	}
	if (course->when == BEFORE)
		host_advance(course->late);
	if (course->killed && !is_saved_late(course->event))
		crash_and_restart();
	host_pass();
	if (course->killed && is_saved_late(course->event))
		crash_and_restart();
	take_figures(course, outcome);
	if (!host_close())
		host_die("%s: a lock is still held", course->event->name);
}

/* In a process of its own. */
static void run(const struct course *course, struct outcome *outcome)
{
	int status;
	pid_t child;

	memset(outcome, 0, offsetof(struct outcome, figures.figure));
	fflush(NULL);
	child = fork();
	if (!child) {
		alarm(60);
		forget_state();
		host_passed_at(host_now() - slurm_conf.priority_calc_period);
		follow(course, outcome);
		_exit(0);
	}
	ck_assert_msg(child > 0 && waitpid(child, &status, 0) == child && !status,
		      "%s: %s at step %llu has crashed (%x)", course->event->name,
		      course->when == BESIDE ? "beside a pass" : "between passes",
		      (unsigned long long)course->step, status);
}

/* ---- all of them ------------------------------------------------------------------ */

static struct outcome *new_outcome(void)
{
	struct outcome *outcome = mmap(NULL, sizeof(*outcome), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ck_assert(outcome != MAP_FAILED);
	return outcome;
}

static void open_cluster(const struct cluster *cluster)
{
	setenv("TZ", "UTC", true);
	host_configure("PriorityDecayHalfLife=0-2\nPriorityCalcPeriod=5\nPriorityMaxAge=7-0\n"
		       "PriorityWeightAge=1000\nPriorityWeightFairshare=100000\n"
		       "PriorityWeightJobSize=1000\n"
		       "PriorityWeightPartition=1000\nPriorityWeightQOS=2000\n"
		       "PriorityWeightAssoc=500\n%s\n",
		       cluster->lines);
	if (cluster->conf)
		write_conf(cluster->conf);
	if (cluster->reset)	/* midnight is before the pass that is disturbed */
		host_advance(86400 - host_now() % 86400 - slurm_conf.priority_calc_period / 2);
	events_grow();
	host_open();
	events_populate();
}

/*
 * The event right before the pass, right after it, and beside it at each `stride`-th step. The
 * first of these steps is another one for each event and cluster, so that all steps are tried.
 */
static unsigned attack(const struct event *event, const struct cluster *cluster, time_t late,
		       bool killed, unsigned stride)
{
	size_t first = (size_t)(event - events) + (size_t)(cluster - clusters) + (late > 0);
	struct course course = { .event = event, .late = late, .with_pools = cluster->conf };
	struct outcome *before = new_outcome(), *beside = new_outcome(), *after = new_outcome();
	bool either = event->flags & EVENT_COMES_BETWEEN;
	unsigned wrong = 0;
	char what[256];

	course.when = AFTER;
	run(&course, after);
	if (either) {
		course.when = BEFORE;
		run(&course, before);
	}
	course.when = BESIDE;
	course.killed = killed;
	for (course.step = 1 + first % stride; course.step <= after->steps; course.step += stride) {
		run(&course, beside);
		snprintf(what, sizeof(what), "%s, %s %lds after the begin at step %llu of %llu%s",
			 cluster->name, event->name, (long)late, (unsigned long long)course.step,
			 (unsigned long long)after->steps, killed ? ", then a kill" : "");
		if (beside->wrong_sums)
			fprintf(stderr, "%s: %u sums are wrong\n", what, beside->wrong_sums);
		wrong += beside->wrong_sums;
		wrong += either ? figures_are_neither(&before->figures, &after->figures,
						      &beside->figures, what)
				: figures_differ(&after->figures, &beside->figures, what);
	}
	return wrong;
}

/* Each step is a process of its own, which takes ten times as long with AddressSanitizer. */
#ifdef __SANITIZE_ADDRESS__
#define SLOWNESS 7
#else
#define SLOWNESS 1
#endif

/* Steps take and release locks in turn: an odd stride meets both, and so SLOWNESS is odd. */
static const unsigned dense[] = { 19, 17, 19 }, sparse[] = { 31, 29, 31 };

static bool is_possible(const struct event *event, const struct cluster *cluster)
{
	if (cluster->reset && (event->flags & EVENT_TAKES_TIME))
		return false;	/* what is charged until a record is reset goes with it */
	return !(event->flags & EVENT_WANTS_LIMITS) || !strstr(cluster->lines, "Enforce=");
}

TEST_LOOP(nothing_that_happens_beside_a_pass_is_lost, CLUSTERS * event_count)
{
	const struct cluster *cluster = &clusters[(size_t)_i / event_count];
	const struct event *event = &events[(size_t)_i % event_count];
	const unsigned *stride = cluster == clusters ? dense : sparse;
	unsigned wrong = 0;

	if (!is_possible(event, cluster))
		return;
	open_cluster(cluster);
	wrong += attack(event, cluster, 0, false, suite_stride(SLOWNESS * stride[0]));
	if (!cluster->reset && !cluster->conf)
		wrong += attack(event, cluster, LATE, false, suite_stride(SLOWNESS * stride[1]));
	if (!cluster->conf)
		wrong += attack(event, cluster, cluster->reset ? 0 : LATE, true,
				suite_stride(SLOWNESS * stride[2]));
	ck_assert_uint_eq(wrong, 0);
}
