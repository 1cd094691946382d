/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of a pass (run_pass), the turns between two passes, and the life of the decay
 * thread. */
#include "run/engine.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "base/shared.h"

#include <stdlib.h>
#include <string.h>

/* ---- one pass ------------------------------------------------------------------ */

/* Returns whether the clock has been set back to before the last pass, and logs that once. */
static bool is_clock_behind(struct engine *engine, time_t now)
{
	double seconds = difftime(book_base(engine->book), now);

	if (seconds > 0 && !engine->clock_is_behind)
		error(LOG_PREFIX "the clock is %.0f s behind the last pass; nothing is charged or "
				 "decayed until it has caught up", seconds);
	engine->clock_is_behind = seconds > 0;
	return engine->clock_is_behind;
}

/* Returns the time before which all usage is forgotten, if a reset is due; 0: no reset is due. That
 * is the midnight of the reset; but `now` if passes have charged beyond that midnight, as when the
 * period of resets is new: usage from before and after it cannot be told apart any more. */
static time_t find_reset(const struct engine *engine, const struct settings *settings, time_t now)
{
	time_t reset = reset_due(settings->reset_period, engine->saved.last_reset, now,
				 engine->reset_owed);

	return reset && reset < book_base(engine->book) ? now : reset;
}

/* Adds the charges to usage, resets all usage if accounting->reset, and evaluates the policies if
 * accounting->evaluate. A reset that was requested is not owed any more. */
static void add_charges(struct engine *engine, const struct settings *settings,
			const struct accounting *accounting)
{
	fairshare_pass(engine->fairshare, settings, accounting);
	if (accounting->reset) {
		info(LOG_PREFIX "all usage is reset (PriorityUsageResetPeriod)");
		engine->saved.last_reset = accounting->now;
	}
	engine->reset_owed = false;
	dump_watch_pass(&engine->saved.dump_watch, &(struct state_times){
		.time = accounting->now, .last_reset = engine->saved.last_reset });
}

/* Charges jobs, brings all usage up to accounting->now, and evaluates the policies if
 * accounting->evaluate. The caller sets `now`, `evaluate`, `order` and `since` of *accounting; the
 * call sets the rest. Returns false if usage cannot be brought up to date, which is logged: it
 * stays as it was. */
static bool update_usage(struct engine *engine, const struct settings *settings,
			 struct accounting *accounting)
{
	struct usage_changes *changes = &engine->changes;

	if (!saved_state_restore(&engine->saved, settings, accounting->now) ||
	    is_clock_behind(engine, accounting->now))
		return false;
	if (!engine->saved.last_reset)	/* periods count from the first pass of all */
		engine->saved.last_reset = accounting->now;
	accounting->reset = find_reset(engine, settings, accounting->now);
	accounting->charges = book_gather(engine->book, settings, accounting->now,
					  &engine->trail_of_jobs);
	if (!accounting->charges) {
		error(LOG_PREFIX "out of memory; the next pass charges what this one could not");
		return false;
	}
	if (accounting->reset)
		fathom_charges_drop_before(accounting->charges, (double)accounting->reset);
	log_step("gathering running jobs", accounting->since);
	if (accounting->evaluate)
		usage_changes_read(changes, settings, settings->conf.import_usage);
	accounting->changes = changes->import || changes->request ? changes : NULL;
	add_charges(engine, settings, accounting);
	accounting->changes = NULL;
	usage_changes_end(changes);
	fathom_charges_destroy(accounting->charges);
	log_step("writing usage and figures", accounting->since);
	return true;
}

/* Saves usage, if it has been restored. Once it is on disk, a restart also knows which request was
 * made, so the file of the request is removed then. */
static void save(struct engine *engine, int64_t *since)
{
	struct usage_image *image = fairshare_saved_image(engine->fairshare);

	if (image && saved_state_save(&engine->saved, image)) {
		engine->done.saved = (time_t)image->time;
		usage_changes_saved(&engine->changes);
	} else if (image && state_has_folder(engine->saved.folder)) {
		engine->done.saves_failed++;
	}
	log_step("saving", since);
}

/* Calls the site factor plugin, if it has started. Takes job write, as it may change job
 * records. */
static void update_site_factors(const struct engine *engine)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK };

	if (!engine->has_site_factor)
		return;
	locks_take(&locks, NULL);
	site_factor_g_update();
	locks_release(&locks, NULL);
}

/* Computes the priorities of all jobs. If some have become provisional, requests a pass soon.
 * trail: of the job list, or NULL. */
static void update_priorities(struct engine *engine, const struct settings *settings, time_t now,
			      struct list_trail *trail)
{
	if (job_priority_update_all(&engine->results, settings, now, &engine->provisional, trail))
		timer_request(&engine->timer, TIMER_PASS_SOON);
}

/* Finds places of pending jobs, and then computes the priorities of all jobs. *since: as in struct
 * accounting. */
static void rank_jobs(struct engine *engine, const struct settings *settings, time_t now,
		      int64_t *since)
{
	if (settings->with_database)
		fairshare_place_jobs(engine->fairshare, settings,
				     partitions_order(&engine->partitions, settings),
				     &engine->trail_of_jobs, now);
	log_step("placing jobs", since);
	update_priorities(engine, settings, now, &engine->trail_of_jobs);
	log_step("publishing priorities", since);
}

/* Returns the time of a clock in seconds. */
static double seconds_by(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Adds this pass to what MetricsFile tells of passes. cpu_begin, wall_begin: the thread's CPU
 * seconds and the monotonic clock when the pass began. */
static void count_pass(struct pass_counts *done, double cpu_begin, double wall_begin)
{
	done->passes++;
	done->cpu_seconds = seconds_by(CLOCK_THREAD_CPUTIME_ID);
	done->last_cpu_seconds = done->cpu_seconds - cpu_begin;
	done->last_wall_seconds = seconds_by(CLOCK_MONOTONIC) - wall_begin;
	done->hold_count = locks_longest(done->hold);
}

/* Has the figures of the pass written, and usage of other clusters read, as far as these settings
 * ask for that. Threads of their own do the work, so that a slow file system does not stop passes.
 * *since: as in struct accounting. */
static void start_reports(struct engine *engine, const struct settings *settings, int64_t *since)
{
	if (!settings_write_figures(settings) && !settings_are_global(settings))
		return;
	figures_file_write(engine->figures_file, engine->saved.folder, settings, &engine->results,
			   &engine->done);
	global_reader_start(engine->global_reader, settings, &engine->results);
	log_step("copying for FiguresFile", since);
	/* another pass, soon, counts what the thread has read by these settings for the first
	 * time */
	if (settings->conf.global.count && engine->global_read_for != settings)
		timer_request(&engine->timer, TIMER_PASS_SOON);
	engine->global_read_for = settings;
}

/* A pass, in the order of the table in doc/pass.md. */
static void run_pass(struct engine *engine, const struct settings *settings, time_t now)
{
	double cpu_begin = seconds_by(CLOCK_THREAD_CPUTIME_ID);
	double wall_begin = seconds_by(CLOCK_MONOTONIC);
	int64_t since = monotonic_now();
	struct accounting accounting = { .now = now, .evaluate = true, .since = &since };

	partitions_update(&engine->partitions, settings, now);
	accounting.order = partitions_order(&engine->partitions, settings);
	/* if usage cannot be brought up to date, a new policy takes effect on the old usage */
	if (settings->with_database && !update_usage(engine, settings, &accounting)) {
		engine->done.rounds_skipped++;
		fairshare_evaluate(engine->fairshare, settings, accounting.order);
	}
	update_site_factors(engine);
	rank_jobs(engine, settings, now, &since);
	if (!settings->with_database)
		return;
	save(engine, &since);
	engine->done.waits_since = engine->saved.restored ? 0 : engine->saved.begun;
	count_pass(&engine->done, cpu_begin, wall_begin);
	/* settings that only stand in for others may lack schemes whose sums are needed again */
	if (settings == engine->current.checked)
		fairshare_drop_unclaimed_sums(engine->fairshare);
	start_reports(engine, settings, &since);
}

/* The turn between two passes when jobs have come that have no place in LSF's order of dispatch, or
 * that fathom holds. */
static void run_places(struct engine *engine, const struct settings *settings, time_t now)
{
	int64_t since = monotonic_now();

	if (settings->pool_count)
		partitions_update(&engine->partitions, settings, now);
	/* if a reset is due, late charges are left to the pass: it must still see which of them
	 * come after the reset */
	if (!find_reset(engine, settings, now))
		fairshare_take_late(engine->fairshare);
	rank_jobs(engine, settings, now, &since);
}

/* The turn between two passes that charges jobs that have ended, before slurmctld forgets them. */
static void run_charge(struct engine *engine, const struct settings *settings, time_t now)
{
	int64_t since = monotonic_now();
	struct accounting accounting = { .now = now, .since = &since };

	engine->done.rounds_skipped += !update_usage(engine, settings, &accounting);
	save(engine, &since);
}

/* ---- the thread ---------------------------------------------------------------- */

/* Returns whether the thread must charge ended jobs between passes. slurmctld calls
 * priority_p_job_end only if limits are enforced, and forgets a job MinJobAge seconds after its end
 * (0: never). */
static bool must_charge_between_passes(const struct settings *settings)
{
	return settings->with_database && !(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) &&
	       slurm_conf.min_job_age;
}

/* Returns the seconds between two turns that only charge jobs; 0: there are no such turns. They are
 * half of MinJobAge, so that even a late turn comes within the MinJobAge of each job. */
static double charge_period(const struct settings *settings)
{
	return must_charge_between_passes(settings) ? MAX(slurm_conf.min_job_age / 2.0, 1) : 0;
}

/* Does a turn, and plans the next ones. */
static void take_turn(struct engine *engine, const struct timer_turn *turn)
{
	static void (*const run[])(struct engine *engine, const struct settings *settings,
				   time_t now) = {
		[TURN_PASS] = run_pass, [TURN_PLACES] = run_places, [TURN_CHARGE] = run_charge,
	};
	struct settings *settings =
		current_settings_check(&engine->current, turn->requests & TIMER_SETTINGS);

	engine->reset_owed |= (turn->requests & TIMER_RESET) != 0;
	saved_state_find(&engine->saved);
	run[turn->kind](engine, settings, turn->now);
	timer_plan(&engine->timer, settings->calc_period, charge_period(settings));
	shared_release(settings);
	shared_free_retired();
}

/* The decay thread: takes turns until its end is requested. argument: the engine. */
static void *decay_thread(void *argument)
{
	struct engine *engine = argument;
	struct timer_turn turn;

	pthread_setname_np(pthread_self(), "decay");
	while ((turn = timer_wait(&engine->timer)).kind != TURN_END)
		take_turn(engine, &turn);
	return NULL;
}

/* Logs the first failure of several in a row, and the success after them. */
void engine_start(struct engine *engine)
{
	bool had_failed = engine->start_failed;
	int problem;

	if (engine->is_running)
		return;
	problem = pthread_create(&engine->thread, NULL, decay_thread, engine);
	engine->start_failed = problem != 0;
	if (problem && !had_failed)
		error(LOG_PREFIX "cannot start the decay thread: %s; priorities stay as they are "
				 "until it can be started, which each request tries again",
		      strerror(problem));
	else if (had_failed && !problem)
		info(LOG_PREFIX "the decay thread is started");
	if (problem)
		return;
	engine->is_running = true;
	dump_watch_start(&engine->saved.dump_watch);
}

/* Without slurmdbd no pass follows: without this call the jobs would keep their old priorities
 * until somebody changes them. In releases in which slurmctld starts the decay thread
 * (SLURM_CALLS_THREAD_START), the thread may be in its first pass meanwhile, so this walk does not
 * use the thread's trail. */
void engine_recover(struct engine *engine)
{
	struct settings *settings = published_get(&engine->current.settings);
	struct partition_order *no_order = NULL;
	struct list_trail *no_trail = NULL;

	if (!settings->with_database) {
		fairshare_evaluate(engine->fairshare, settings, no_order);
		update_priorities(engine, settings, time(NULL), no_trail);
	}
	shared_release(settings);
}

void engine_start_in_init(struct engine *engine)
{
	if (engine->began_with_database)
		engine_start(engine);
	else if (!SLURM_CALLS_RECOVER)
		engine_recover(engine);
}

/* ---- begin and end ------------------------------------------------------------- */

/* Warns if slurmctld forgets jobs sooner than turns can charge them: turns that charge are at least
 * a second apart. */
static void warn_of_short_min_job_age(const struct settings *settings)
{
	if (must_charge_between_passes(settings) && slurm_conf.min_job_age < 2)
		info(LOG_PREFIX "warning: MinJobAge=%u and no limits in AccountingStorageEnforce: "
				"slurmctld may forget jobs before their last seconds are charged; "
				"set MinJobAge to 2 or more", slurm_conf.min_job_age);
}

/* Requests the first pass, reads the saved state, and starts the site factor plugin. No other
 * thread runs yet. */
static void begin(struct engine *engine, const struct settings *settings)
{
	engine->began_with_database = settings->with_database;
	timer_request(&engine->timer, TIMER_PASS | TIMER_RESET);
	if (settings->with_database)
		saved_state_load(&engine->saved);
	warn_of_short_min_job_age(settings);
	/* as priority/multifactor does when it starts */
	if (settings->with_database && assoc_mgr_root_assoc)
		assoc_mgr_root_assoc->usage->usage_efctv = 1;
	/* from 23.02 on, a call of a plugin that has not started crashes slurmctld */
	engine->has_site_factor = compat_site_factor_init() == SLURM_SUCCESS;
	if (!engine->has_site_factor)
		error(LOG_PREFIX "cannot start the site factor plugin; jobs keep their site "
				 "factors");
}

/* Frees an engine, of which set_up() may not have made all members; no other thread runs any
 * more. */
static void free_engine(struct engine *engine)
{
	figures_file_destroy(engine->figures_file);
	global_reader_destroy(engine->global_reader);
	list_trail_clear(&engine->trail_of_jobs);
	usage_changes_clear(&engine->changes);
	saved_state_clear(&engine->saved);
	current_settings_clear(&engine->current);
	partitions_clear(&engine->partitions);
	id_index_clear(&engine->provisional);
	fairshare_destroy(engine->fairshare);
	published_set(&engine->results.evaluation, NULL);
	published_set(&engine->results.global, NULL);
	published_set(&engine->results.places, NULL);
	book_destroy(engine->book);
	timer_clear(&engine->timer);
	free(engine);
	shared_free_retired();
}

/* Makes the members that need settings. Returns -1 if out of memory; free_engine() then frees those
 * that have been made. */
static int make_members(struct engine *engine, const struct settings *settings)
{
	if (!(engine->book = book_create()) ||
	    !(engine->fairshare = fairshare_create(engine->book, &engine->results, settings)) ||
	    saved_state_init(&engine->saved, engine->fairshare, engine->book,
			     &engine->partitions.seats) ||
	    !(engine->figures_file = figures_file_create()) ||
	    !(engine->global_reader = global_reader_create()))
		return -1;
	engine->changes = (struct usage_changes){ .folder = engine->saved.folder,
						  .applied = &engine->saved.applied };
	return 0;
}

/* Makes all members, and begins. Returns -1 if out of memory, as make_members() does. */
static int set_up(struct engine *engine)
{
	struct settings *settings;
	int status;

	timer_init(&engine->timer);
	if (current_settings_init(&engine->current))
		return -1;
	settings = published_get(&engine->current.settings);
	status = make_members(engine, settings);
	if (!status)
		begin(engine, settings);
	shared_release(settings);
	return status;
}

struct engine *engine_create(void)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (engine && !set_up(engine))
		return engine;
	error(LOG_PREFIX "out of memory; the plugin does not start");
	if (engine)
		free_engine(engine);
	return NULL;
}

/* Ends the decay thread, and then charges what has run since its last turn. */
static void end_thread(struct engine *engine)
{
	struct settings *settings;

	timer_request(&engine->timer, TIMER_END);
	pthread_join(engine->thread, NULL);
	settings = published_get(&engine->current.settings);
	if (settings->with_database) {
		saved_state_find(&engine->saved);
		run_charge(engine, settings, time(NULL));
	}
	shared_release(settings);
}

void engine_destroy(struct engine *engine)
{
	if (!engine)
		return;
	if (engine->is_running)
		end_thread(engine);
	free_engine(engine);
	compat_site_factor_fini();
}

void engine_reconfigure(struct engine *engine, bool run_seconds_reset)
{
	unsigned requests = TIMER_PASS;

	if (engine->is_running) {
		requests |= TIMER_SETTINGS;
	} else {
		current_settings_renew(&engine->current);
		shared_free_retired();		/* no more than the old settings */
	}
	if (run_seconds_reset) {
		book_reset_run_seconds(engine->book);
		requests |= TIMER_RESET;
	}
	timer_request(&engine->timer, requests);
	compat_site_factor_reconfig();
}
