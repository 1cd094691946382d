/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/pass.h"

#include "base/log.h"
#include "charging/book.h"
#include "charging/gather.h"
#include "fairshare/fairshare.h"
#include "jobs/job_priority.h"
#include "jobs/provisional_jobs.h"
#include "partitions/partition_order.h"
#include "report/figures_file.h"
#include "report/sprio_list.h"
#include "run/current_settings.h"
#include "run/saved_state.h"
#include "run/timer.h"

#include <stdlib.h>
#include <string.h>

struct pass {
	struct fairshare *fairshare;
	struct book *book;
	bool asks_site;			/* the site factor plugin has started */
	struct current_settings current;
	struct partition_order *partition_order;
	struct provisional_jobs provisional;

	struct saved_state saved;

	/* used by the thread alone until it has ended */
	struct figures_file *figures_file;
	bool clock_is_behind;		/* the last pass; it has been logged */
	bool reset_owed;		/* a reset was wanted, and no pass has ended since */

	struct timer timer;
	pthread_t thread;
	bool running;
};

/* To be given back with settings_release. */
static struct settings *pass_settings(struct pass *pass)
{
	return current_settings_get(&pass->current);
}

/* ---- resets ------------------------------------------------------------------ */

static struct fathom_date local_day(time_t when)
{
	struct tm day;

	localtime_r(&when, &day);
	return (struct fathom_date){ day.tm_year + 1900, day.tm_mon + 1, day.tm_mday };
}

static bool is_reset_due(struct pass *pass, const struct settings *settings, time_t now)
{
	if (!pass->saved.last_reset)
		pass->saved.last_reset = now;
	return fathom_reset_is_due(settings->reset_period, local_day(pass->saved.last_reset),
				   local_day(now), pass->reset_owed);
}

/* ---- one pass ---------------------------------------------------------------- */

/* A clock that was set back: nothing is charged or decayed until it has caught up. */
static bool is_behind(struct pass *pass, time_t now)
{
	double seconds = difftime(book_base(pass->book), now);

	if (seconds > 0 && !pass->clock_is_behind)
		error(LOG_PREFIX "the clock is %.0f s behind the last pass; nothing is charged or "
				 "decayed until it has caught up", seconds);
	pass->clock_is_behind = seconds > 0;
	return pass->clock_is_behind;
}

/* Brings usage up to `now`, and if `evaluate` is set, evaluates the policy. False: not done. */
static bool account(struct pass *pass, const struct settings *settings, time_t now, bool evaluate,
		    struct timespec *since)
{
	struct accounting accounting = { .now = now, .evaluate = evaluate, .since = since,
					 .order = partition_order_classes(pass->partition_order,
									  settings) };
	struct fathom_charges *charges;
	bool done;

	if (!saved_state_find(&pass->saved) || !saved_state_restore(&pass->saved, now) ||
	    is_behind(pass, now))
		return false;
	charges = book_gather(pass->book, settings, now, &accounting.run_seconds_round);
	if (!charges) {
		error(LOG_PREFIX "out of memory; the next pass charges what this one could not");
		return false;
	}
	accounting.charges = charges;
	accounting.reset = is_reset_due(pass, settings, now);
	log_step("gathering running jobs", since);
	done = fairshare_pass(pass->fairshare, pass->book, settings, &accounting,
			      &pass->saved.image);
	if (done && accounting.reset) {
		info(LOG_PREFIX "all usage is reset (PriorityUsageResetPeriod)");
		pass->saved.last_reset = now;
	}
	pass->reset_owed = pass->reset_owed && !done;
	if (done)
		saved_state_pass_done(&pass->saved, now);
	else
		error(LOG_PREFIX "associations cannot be read; %zu charges are lost",
		      fathom_charges_count(charges));
	fathom_charges_destroy(charges);
	log_step("writing usage and figures", since);
	return done;
}

static void save(struct pass *pass, struct timespec *since)
{
	saved_state_save(&pass->saved);
	log_step("saving", since);
}

/* Takes job write, as the site's plugin may change job records. */
static void update_site_factors(const struct pass *pass)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK };

	if (!pass->asks_site)
		return;
	lock_slurmctld(locks);
	site_factor_g_update();
	unlock_slurmctld(locks);
}

static void update_priorities(struct pass *pass, const struct settings *settings, time_t now)
{
	if (job_priority_update_all(pass->fairshare, settings, now, &pass->provisional))
		timer_want_pass_soon(&pass->timer);
}

static void place_jobs(struct pass *pass, const struct settings *settings, time_t now)
{
	fairshare_place_jobs(pass->fairshare, settings,
			     partition_order_pools(pass->partition_order, settings), now);
}

static void run_pass(struct pass *pass, const struct settings *settings, time_t now)
{
	struct timespec since = log_step_begin();

	partition_order_update(pass->partition_order, settings, now);
	/* a new policy takes effect even where usage cannot be brought up to date */
	if (settings->with_database && !account(pass, settings, now, true, &since))
		fairshare_evaluate(pass->fairshare, settings,
				   partition_order_classes(pass->partition_order, settings), true);
	update_site_factors(pass);
	if (settings->with_database)
		place_jobs(pass, settings, now);
	log_step("placing jobs", &since);
	update_priorities(pass, settings, now);
	log_step("publishing priorities", &since);
	if (!settings->with_database)
		return;
	save(pass, &since);
	if (current_settings_are_checked(&pass->current, settings) && !settings->is_placeholder)
		fairshare_forget_others(pass->fairshare);
	if (!settings->figures_file)
		return;
	figures_file_write(pass->figures_file, pass->saved.folder, settings, pass->fairshare,
			   partition_order_pools(pass->partition_order, settings));
	log_step("copying for FiguresFile", &since);
}

/* Between two passes: jobs have come that have no place in LSF's order of dispatch. */
static void run_places(struct pass *pass, const struct settings *settings, time_t now)
{
	struct timespec since = log_step_begin();

	if (settings->pool_count)
		partition_order_update(pass->partition_order, settings, now);
	place_jobs(pass, settings, now);
	log_step("placing jobs", &since);
	update_priorities(pass, settings, now);
	log_step("publishing priorities", &since);
}

/* Between two passes: charges jobs that have ended, before slurmctld forgets them. */
static void run_account(struct pass *pass, const struct settings *settings, time_t now)
{
	struct timespec since = log_step_begin();

	account(pass, settings, now, false, &since);
	save(pass, &since);
}

/* ---- the thread ---------------------------------------------------------------- */

/* Seconds between two rounds that charge ended jobs; 0: none are needed. slurmctld calls job_end
 * only where limits are enforced, and forgets a job MinJobAge after its end. */
static double account_period(const struct settings *settings)
{
	double half = slurm_conf.min_job_age / 2.0;

	if (!settings->with_database || (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) ||
	    !slurm_conf.min_job_age)
		return 0;
	return MAX(half, 1);
}

static void work(struct pass *pass, struct timer_round *round)
{
	struct settings *settings = current_settings_check(&pass->current);
	double period = settings->calc_period;
	bool full = timer_begin_round(&pass->timer, round, period);

	pass->reset_owed |= round->reset;
	(full ? run_pass : round->places ? run_places : run_account)(pass, settings, round->now);
	timer_plan(&pass->timer, round, period, account_period(settings));
	settings_release(settings);
}

static void *decay_thread(void *argument)
{
	struct pass *pass = argument;
	struct timer_round round;

	pthread_setname_np(pthread_self(), "decay");
	while (timer_wait(&pass->timer, &round))
		work(pass, &round);
	return NULL;
}

int pass_start(struct pass *pass)
{
	if (pass->running)
		return 0;
	timer_want_pass(&pass->timer, false);
	if (pthread_create(&pass->thread, NULL, decay_thread, pass)) {
		error(LOG_PREFIX "the decay thread does not start: %m; priorities stay as they "
				 "are");
		return -1;
	}
	pass->running = true;
	dump_watch_start(&pass->saved.dump_watch);
	return 0;
}

/* Nothing else would compute priorities before jobs are submitted or changed. */
void pass_recover(struct pass *pass)
{
	struct settings *settings = pass_settings(pass);

	if (!settings->with_database) {
		fairshare_evaluate(pass->fairshare, settings, NULL, false);
		update_priorities(pass, settings, time(NULL));
	}
	settings_release(settings);
}

void pass_first(struct pass *pass)
{
	if (pass_has_database(pass))
		pass_start(pass);
	else if (!COMPAT_RECOVER)
		pass_recover(pass);
}

/* At the end, by the settings of the last pass, as newer ones may be wrong. */
static void account_for_rest(struct pass *pass)
{
	const struct settings *settings = current_settings_last(&pass->current);

	if (settings->with_database)
		run_account(pass, settings, time(NULL));
}

static void stop_thread(struct pass *pass)
{
	if (!pass->running)
		return;
	timer_shut_down(&pass->timer);
	pthread_join(pass->thread, NULL);
	pass->running = false;
}

/* ---- life ---------------------------------------------------------------------- */

static void warn_of_short_age(const struct settings *settings)
{
	if (settings->with_database && !(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) &&
	    slurm_conf.min_job_age && slurm_conf.min_job_age < 2)
		info(LOG_PREFIX "warning: MinJobAge=%u and no limits in AccountingStorageEnforce: "
				"slurmctld may forget jobs before their last seconds are charged; "
				"set MinJobAge to 2 or more", slurm_conf.min_job_age);
}

static void start_site_factor(struct pass *pass)
{
	pass->asks_site = compat_site_factor_init() == SLURM_SUCCESS;
	if (!pass->asks_site)	/* since 23.02 Slurm would call what is not there */
		error(LOG_PREFIX "the site factor plugin does not start");
}

/* No other thread runs yet. */
static void begin(struct pass *pass)
{
	const struct settings *settings = pass->current.settings;

	timer_want_pass(&pass->timer, true);
	if (settings->with_database)
		saved_state_load(&pass->saved);
	warn_of_short_age(settings);
	if (settings->with_database && assoc_mgr_root_assoc)
		assoc_mgr_root_assoc->usage->usage_efctv = 1;
	start_site_factor(pass);
}

static void free_pass(struct pass *pass)
{
	figures_file_destroy(pass->figures_file);
	saved_state_clear(&pass->saved);
	current_settings_clear(&pass->current);
	partition_order_destroy(pass->partition_order);
	provisional_jobs_destroy(&pass->provisional);
	fairshare_destroy(pass->fairshare);
	book_destroy(pass->book);
	timer_clear(&pass->timer);
	free(pass);
}

/* -1: out of memory. */
static int make_parts(struct pass *pass)
{
	timer_init(&pass->timer);
	provisional_jobs_create(&pass->provisional);
	if (current_settings_init(&pass->current) || !(pass->book = book_create()) ||
	    !(pass->fairshare = fairshare_create(pass->book, pass->current.settings)) ||
	    saved_state_init(&pass->saved, pass->fairshare, pass->book) ||
	    !(pass->partition_order = partition_order_create()) ||
	    !(pass->figures_file = figures_file_create()))
		return -1;
	return 0;
}

struct pass *pass_create(void)
{
	struct pass *pass = calloc(1, sizeof(*pass));

	if (pass && !make_parts(pass)) {
		begin(pass);
		return pass;
	}
	error(LOG_PREFIX "out of memory");
	if (pass)
		free_pass(pass);
	return NULL;
}

void pass_destroy(struct pass *pass)
{
	bool ran;

	if (!pass)
		return;
	ran = pass->running;
	stop_thread(pass);
	if (ran)
		account_for_rest(pass);
	free_pass(pass);
	compat_site_factor_fini();
}

void pass_reconfigure(struct pass *pass, bool run_seconds_reset)
{
	current_settings_renew(&pass->current);
	if (run_seconds_reset)
		book_reset_run_seconds(pass->book);
	timer_want_pass(&pass->timer, run_seconds_reset);
	compat_site_factor_reconfig();
}

/* ---- calls of slurmctld's ------------------------------------------------------- */

bool pass_has_database(struct pass *pass)
{
	struct settings *settings = pass_settings(pass);
	bool has = settings->with_database;

	settings_release(settings);
	return has;
}

double pass_dampening_factor(struct pass *pass)
{
	struct settings *settings = pass_settings(pass);
	double factor = settings->dampening_factor;

	settings_release(settings);
	return factor;
}

void pass_write_usage(struct pass *pass, slurmdb_assoc_rec_t *association)
{
	fairshare_write_usage(pass->fairshare, association);
}

compat_list pass_sprio_list(struct pass *pass, const struct sprio_list_filter *filter, uid_t uid)
{
	struct settings *settings = pass_settings(pass);
	compat_list list = sprio_list_create(pass->fairshare, settings, filter, uid);

	settings_release(settings);
	return list;
}

void pass_set_site_factor(struct pass *pass, job_record_t *job)
{
	if (pass->asks_site)
		site_factor_g_set(job);
}

uint32_t pass_job_priority(struct pass *pass, job_record_t *job)
{
	struct settings *settings = pass_settings(pass);
	struct evaluation *evaluation = fairshare_evaluation(pass->fairshare);
	struct places *places = fairshare_places(pass->fairshare);
	/* new ones count from the pass on that evaluates by them */
	const struct settings *evaluated = evaluation && settings->with_database
						 ? evaluation_settings(evaluation) : settings;
	struct job_findings findings;
	uint32_t priority;

	book_note_requeue(pass->book, job);
	findings = job_priority_alone(job_scope(evaluation, places, evaluated, time(NULL)), job,
				      &priority);
	if (!findings.known || !findings.placed || evaluated != settings)
		provisional_jobs_add(&pass->provisional, job->job_id);
	if (!findings.known || evaluated != settings)
		timer_want_pass_soon(&pass->timer);
	else if (!findings.placed)
		timer_want_places(&pass->timer);
	places_release(places);
	evaluation_release(evaluation);
	settings_release(settings);
	return priority;
}

void pass_job_end(struct pass *pass, job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	struct settings *settings = pass_settings(pass);
	struct fathom_charges *charges;

	/* usage must be there before any is added to it */
	saved_state_restore(&pass->saved, time(NULL));
	assoc_mgr_lock(&locks);
	charges = book_end_job(pass->book, settings, job, time(NULL),
			       fairshare_time(pass->fairshare));
	if (charges)
		fairshare_charge_ended_job(pass->fairshare, charges, job);
	assoc_mgr_unlock(&locks);
	fathom_charges_destroy(charges);
	settings_release(settings);
}
