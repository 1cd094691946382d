/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/pass.h"

#include "base/log.h"
#include "charging/gather.h"
#include "jobs/job_priority.h"
#include "partitions/partition_check.h"

#include <stdlib.h>
#include <string.h>

#define PAUSE_LEAST 0.6		/* seconds between two passes, however long one takes */

/* ---- clocks ------------------------------------------------------------------ */

static struct timespec after(struct timespec at, double seconds)
{
	at.tv_sec += (time_t)seconds;
	at.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
	if (at.tv_nsec >= 1000000000) {
		at.tv_nsec -= 1000000000;
		at.tv_sec++;
	}
	return at;
}

static struct timespec monotonic_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

static struct timespec later(struct timespec a, struct timespec b)
{
	return is_before(&a, &b) ? b : a;
}

static bool is_past(const struct timespec *at)
{
	struct timespec now = monotonic_now();

	return !is_before(&now, at);
}

/* ---- settings ---------------------------------------------------------------- */

struct settings *pass_settings(struct pass *pass)
{
	struct settings *settings;

	slurm_mutex_lock(&pass->settings_lock);
	settings = settings_reference(pass->settings);
	slurm_mutex_unlock(&pass->settings_lock);
	return settings;
}

static void renew_settings(struct pass *pass)
{
	struct settings *fresh, *stale;

	slurm_mutex_lock(&pass->settings_lock);
	fresh = settings_read(&pass->conf, false);
	stale = fresh ? pass->settings : NULL;
	if (fresh)
		pass->settings = fresh;
	slurm_mutex_unlock(&pass->settings_lock);
	settings_release(stale);
}

/* ---- usage from before the start --------------------------------------------- */

/* Usage without a time: somebody has charged it up to an unknown moment, and
 * charging goes on from now. No usage: nobody has charged anything yet. */
static bool begin_without_state(struct pass *pass, time_t now)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool ready, used;

	assoc_mgr_lock(&locks);
	ready = assoc_mgr_root_assoc;
	used = ready && assoc_mgr_root_assoc->usage->usage_raw > 0;
	assoc_mgr_unlock(&locks);
	if (used)
		book_begin(&pass->book, now);
	return ready;
}

/* The caller holds restore_lock. */
static void begin_charging(struct pass *pass)
{
	const struct state_times restored = { pass->image.time, pass->image.last_reset };

	if (pass->found == STATE_OWN)
		dump_watch_pass(&pass->dump_watch, &restored);
	book_begin_charging(&pass->book);
}

/* Once, as soon as slurmctld has associations. Charging must wait for it. */
static bool restore(struct pass *pass, time_t now)
{
	bool done;

	slurm_mutex_lock(&pass->restore_lock);
	if (!pass->restored && pass->found != STATE_UNREADABLE) {
		pass->restored = pass->found == STATE_OWN
			? fairshare_restore(pass->fairshare, &pass->image)
			: begin_without_state(pass, now);
		if (pass->restored)
			begin_charging(pass);
	}
	done = pass->restored;
	slurm_mutex_unlock(&pass->restore_lock);
	return done;
}

static enum state_found read_state(struct pass *pass, struct usage_image *image, bool again)
{
	struct state_times dumped;
	enum state_found found = state_load(pass->state_folder, image, &dumped, again);

	if (found != STATE_UNREADABLE)
		dump_watch_begin(&pass->dump_watch, &dumped,
				 found == STATE_OWN ? image->time : 0);
	return found;
}

/* The caller holds restore_lock and assoc read, or is alone. */
static void take_state(struct pass *pass, enum state_found found, struct usage_image *image)
{
	static const char *const what[] = {
		[STATE_NONE] = "no state of an earlier run",
		[STATE_OWN] = "usage of our last pass",
		[STATE_STOCK] = "slurmctld's own usage, as of the last pass",
	};

	pass->last_reset = (time_t)image->last_reset;
	fairshare_set_time(pass->fairshare, (time_t)image->time);
	book_restore_jobs(&pass->book, image);
	pass->book.marked_until = found == STATE_OWN ? 0 : pass->begun;
	if (found != STATE_OWN)	/* times without usage must not be saved */
		usage_image_clear(image);
	pass->image = *image;
	info(LOG_PREFIX "%sgoing on with %s",
	     pass->found == STATE_UNREADABLE ? "the state can be read again; " : "", what[found]);
	pass->found = found;
}

/* Nobody else runs yet. */
static void load_state(struct pass *pass)
{
	struct usage_image image;
	enum state_found found = read_state(pass, &image, false);

	if (found != STATE_UNREADABLE) {
		take_state(pass, found, &image);
		return;
	}
	pass->found = found;
	pass->book.unread = true;
}

/* False: the state still cannot be read. */
static bool find_state(struct pass *pass)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct usage_image image;
	enum state_found found;

	if (pass->found != STATE_UNREADABLE)
		return true;
	found = read_state(pass, &image, true);
	if (found == STATE_UNREADABLE)
		return false;
	slurm_mutex_lock(&pass->restore_lock);
	assoc_mgr_lock(&locks);
	take_state(pass, found, &image);
	assoc_mgr_unlock(&locks);
	slurm_mutex_unlock(&pass->restore_lock);
	return true;
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
	if (!pass->last_reset)
		pass->last_reset = now;
	return fathom_reset_is_due(settings->reset_period, local_day(pass->last_reset),
				   local_day(now), pass->reset_owed);
}

/* ---- one pass ---------------------------------------------------------------- */

/* A clock that was set back changes nothing until it is where it was. */
static bool is_behind(struct pass *pass, time_t now)
{
	double seconds = difftime(book_base(&pass->book), now);

	if (seconds > 0 && !pass->behind)
		error(LOG_PREFIX "the clock is %.0f s behind the last pass; until then nothing is charged and nothing decays",
		      seconds);
	pass->behind = seconds > 0;
	return pass->behind;
}

/* Usage up to `now`, and the policy on it. */
static bool account(struct pass *pass, const struct settings *settings, time_t now, bool evaluate,
		    struct timespec *since)
{
	struct accounting accounting = { .now = now, .evaluate = evaluate, .since = since };
	struct fathom_charges *charges;
	bool done;

	if (!find_state(pass) || !restore(pass, now) || is_behind(pass, now))
		return false;
	charges = book_gather(&pass->book, settings, now, &accounting.run_seconds_round);
	if (!charges) {
		error(LOG_PREFIX "out of memory; the next pass charges what this one could not");
		return false;
	}
	accounting.charges = charges;
	accounting.reset = is_reset_due(pass, settings, now);
	log_step("gathering running jobs", since);
	done = fairshare_pass(pass->fairshare, &pass->book, settings, &accounting, &pass->image);
	if (done && accounting.reset) {
		info(LOG_PREFIX "all usage is reset (PriorityUsageResetPeriod)");
		pass->last_reset = now;
	}
	pass->reset_owed = pass->reset_owed && !done;
	if (done) {
		pass->image.last_reset = pass->last_reset;
		dump_watch_pass(&pass->dump_watch, &(struct state_times){ now, pass->last_reset });
	} else {
		error(LOG_PREFIX "associations cannot be read; %zu charges are lost",
		      fathom_charges_count(charges));
	}
	fathom_charges_destroy(charges);
	log_step("writing usage and figures", since);
	return done;
}

static void save(struct pass *pass, struct timespec *since)
{
	if (pass->restored && pass->image.time && !state_save(pass->state_folder, &pass->image))
		dump_watch_save(&pass->dump_watch, pass->image.time);
	log_step("saving", since);
}

/* The site's plugin changes what it likes in the job records. */
static void update_site_factors(const struct pass *pass)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK };

	if (!pass->asks_site)
		return;
	lock_slurmctld(locks);
	site_factor_g_update();
	unlock_slurmctld(locks);
}

static void run_pass(struct pass *pass, const struct settings *settings, time_t now)
{
	struct timespec since = monotonic_now();

	partition_order_update(&pass->partition_order, settings, now);
	/* a new policy counts even where usage stands still */
	if (settings->with_database && !account(pass, settings, now, true, &since))
		fairshare_evaluate(pass->fairshare, settings, true);
	update_site_factors(pass);
	job_priority_update_all(pass->fairshare, &pass->partition_order, settings, now);
	log_step("publishing priorities", &since);
	if (!settings->with_database)
		return;
	save(pass, &since);
	if (settings == pass->checked && !settings->stands_in)
		fairshare_forget_others(pass->fairshare);
	if (!settings->figures_file)
		return;
	figures_file_write(&pass->figures_file, pass->state_folder, settings, pass->fairshare);
	log_step("copying for FiguresFile", &since);
}

/* Between passes: jobs that have ended, before slurmctld forgets them. */
static void run_account(struct pass *pass, const struct settings *settings, time_t now)
{
	struct timespec since = monotonic_now();

	account(pass, settings, now, false, &since);
	save(pass, &since);
}

/* ---- the thread ---------------------------------------------------------------- */

/* Without limits nobody tells of a job's end; slurmctld forgets it after
 * MinJobAge. 0: there is no hurry. */
static double account_period(const struct settings *settings)
{
	double half = slurm_conf.min_job_age / 2.0;

	if (!settings->with_database || (accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) ||
	    !slurm_conf.min_job_age)
		return 0;
	return MAX(half, 1);
}

/* When to wake up next; a pass that took long still leaves a pause. */
static void plan(struct pass *pass, const struct settings *settings, bool full,
		 struct timespec begun)
{
	struct timespec now = monotonic_now(), soonest = after(now, PAUSE_LEAST);
	double between = account_period(settings);

	if (full)
		pass->next_pass = later(after(begun, settings->calc_period), soonest);
	pass->next_account = between > 0 ? after(now, between) : pass->next_pass;
}

/* By either clock: the monotonic one if the other is set back, the other if
 * the machine slept. */
static bool is_pass_due(const struct pass *pass, const struct settings *settings)
{
	return is_past(&pass->next_pass) ||
	       difftime(time(NULL), pass->pass_begun) >= settings->calc_period;
}

static void wait_until_due(struct pass *pass)
{
	int status = 0;

	while (!pass->shutdown && !pass->wanted && !status)
		status = pthread_cond_timedwait(&pass->wake, &pass->lock,
						is_before(&pass->next_account, &pass->next_pass)
							? &pass->next_account : &pass->next_pass);
}

/* TRES may have been added since the weights were read. */
static struct settings *present_settings(struct pass *pass)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	struct settings *settings = pass_settings(pass);

	if (settings->priority.tres_count == (size_t)slurmctld_tres_cnt)
		return settings;
	settings_release(settings);
	lock_slurmctld(locks);
	renew_settings(pass);
	unlock_slurmctld(locks);
	return pass_settings(pass);
}

/* The last good ones come back, unless somebody has read the files anew. */
static void revert_settings(struct pass *pass, struct settings *wrong)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	struct settings *good;

	lock_slurmctld(locks);
	good = pass->checked ? settings_reference(pass->checked) : settings_standard();
	unlock_slurmctld(locks);
	slurm_mutex_lock(&pass->settings_lock);
	if (good && pass->settings == wrong) {
		pass->settings = good;
		good = wrong;
	}
	slurm_mutex_unlock(&pass->settings_lock);
	settings_release(good);
}

/* What fathom.conf says of partitions can be seen to be right here alone: when it
 * is read there may be none yet, or whoever reads it holds locks of theirs. */
static struct settings *checked_settings(struct pass *pass)
{
	slurmctld_lock_t locks = { .part = READ_LOCK };
	struct settings *settings = present_settings(pass);
	struct fathom_error problem;
	bool known, wrong;

	if (settings == pass->checked)
		return settings;
	lock_slurmctld(locks);
	known = partitions_exist();
	wrong = known && partitions_check(settings, &problem);
	unlock_slurmctld(locks);
	if (!known)
		return settings;
	if (wrong) {
		error(LOG_PREFIX "%s; %s", problem.text,
		      pass->checked ? "the settings stay as they were" : "the defaults apply");
		revert_settings(pass, settings);
		settings_release(settings);
		return pass->checked ? settings_reference(pass->checked) : pass_settings(pass);
	}
	settings_release(pass->checked);
	pass->checked = settings_reference(settings);
	return settings;
}

/* The caller holds pass->lock; it is given back while there is work. `wanted` is
 * cleared before the settings are read: a reconfigure after that gets another pass. */
static void work(struct pass *pass)
{
	struct timespec begun = monotonic_now();
	struct settings *settings;
	time_t now = time(NULL);
	bool full = pass->wanted;

	pass->reset_owed |= pass->reset_wanted;
	pass->wanted = pass->reset_wanted = false;
	slurm_mutex_unlock(&pass->lock);
	settings = checked_settings(pass);
	slurm_mutex_lock(&pass->lock);
	full = full || is_pass_due(pass, settings);
	if (full)
		pass->pass_begun = now;
	slurm_mutex_unlock(&pass->lock);
	(full ? run_pass : run_account)(pass, settings, now);
	slurm_mutex_lock(&pass->lock);
	plan(pass, settings, full, begun);
	settings_release(settings);
}

static void *decay_thread(void *argument)
{
	struct pass *pass = argument;

	pthread_setname_np(pthread_self(), "decay");
	slurm_mutex_lock(&pass->lock);
	while (!pass->shutdown) {
		work(pass);
		wait_until_due(pass);
	}
	slurm_mutex_unlock(&pass->lock);
	return NULL;
}

int pass_start(struct pass *pass)
{
	if (pass->running)
		return 0;
	pass->wanted = true;
	if (pthread_create(&pass->thread, NULL, decay_thread, pass)) {
		error(LOG_PREFIX "the decay thread does not start: %m; priorities stay as they are");
		return -1;
	}
	pass->running = true;
	dump_watch_start(&pass->dump_watch);
	return 0;
}

/* Nothing else would compute priorities before jobs are submitted or changed. */
void pass_recover(struct pass *pass)
{
	struct settings *settings = pass_settings(pass);

	if (!settings->with_database) {
		fairshare_evaluate(pass->fairshare, settings, false);
		job_priority_update_all(pass->fairshare, &pass->partition_order, settings, time(NULL));
	}
	settings_release(settings);
}

void pass_first(struct pass *pass)
{
	if (pass->settings->with_database)
		pass_start(pass);
	else if (!COMPAT_RECOVER)
		pass_recover(pass);
}

/* At the end: the last that a pass has had, as others may be wrong. */
static void account_for_rest(struct pass *pass)
{
	const struct settings *settings = pass->checked ? pass->checked : pass->settings;

	if (settings->with_database)
		run_account(pass, settings, time(NULL));
}

static void stop_thread(struct pass *pass)
{
	if (!pass->running)
		return;
	slurm_mutex_lock(&pass->lock);
	pass->shutdown = true;
	slurm_cond_signal(&pass->wake);
	slurm_mutex_unlock(&pass->lock);
	pthread_join(pass->thread, NULL);
	pass->running = false;
}

/* ---- life ---------------------------------------------------------------------- */

static void warn_of_short_age(const struct settings *settings)
{
	if (settings->with_database && !(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) &&
	    slurm_conf.min_job_age && slurm_conf.min_job_age < 2)
		info(LOG_PREFIX "warning: MinJobAge=%u and no limits in AccountingStorageEnforce: jobs may be gone before their last seconds are charged; 2 or more would do",
		     slurm_conf.min_job_age);
}

struct pass *pass_create(void)
{
	struct pass *pass = calloc(1, sizeof(*pass));
	pthread_condattr_t monotonic;

	if (!pass || !(pass->state_folder = strdup(slurm_conf.state_save_location
						       ? slurm_conf.state_save_location : "")))
		goto error;
	pass->conf = conf_standard();
	pass->settings = settings_read(&pass->conf, true);
	if (!pass->settings || book_init(&pass->book) ||
	    !(pass->fairshare = fairshare_create(&pass->book, pass->settings)))
		goto error;
	partition_order_create(&pass->partition_order);
	pthread_mutex_init(&pass->settings_lock, NULL);
	pthread_mutex_init(&pass->restore_lock, NULL);
	pthread_mutex_init(&pass->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&pass->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	pass->reset_wanted = true;
	pass->begun = time(NULL);
	dump_watch_create(&pass->dump_watch, pass->state_folder);
	if (pass->settings->with_database)
		load_state(pass);
	warn_of_short_age(pass->settings);
	return pass;
error:
	error(LOG_PREFIX "out of memory");
	if (pass) {
		book_clear(&pass->book);
		conf_clear(&pass->conf);
		settings_release(pass->settings);
		free(pass->state_folder);
	}
	free(pass);
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
	figures_file_close(&pass->figures_file);
	dump_watch_destroy(&pass->dump_watch);
	settings_release(pass->settings);
	settings_release(pass->checked);
	conf_clear(&pass->conf);
	partition_order_destroy(&pass->partition_order);
	fairshare_destroy(pass->fairshare);
	book_clear(&pass->book);
	usage_image_clear(&pass->image);
	free(pass->state_folder);
	pthread_mutex_destroy(&pass->settings_lock);
	pthread_mutex_destroy(&pass->restore_lock);
	pthread_mutex_destroy(&pass->lock);
	pthread_cond_destroy(&pass->wake);
	free(pass);
}

void pass_reconfigure(struct pass *pass, bool run_seconds_reset)
{
	renew_settings(pass);
	if (run_seconds_reset)
		book_reset_run_seconds(&pass->book);
	slurm_mutex_lock(&pass->lock);
	pass->wanted = true;
	pass->reset_wanted |= run_seconds_reset;
	slurm_cond_signal(&pass->wake);
	slurm_mutex_unlock(&pass->lock);
}

/* ---- single jobs --------------------------------------------------------------- */

uint32_t pass_job_priority(struct pass *pass, job_record_t *job)
{
	struct settings *settings = pass_settings(pass);
	struct job_scope scope = job_scope(pass->fairshare, &pass->partition_order, settings,
					    time(NULL));
	uint32_t priority;

	book_note_requeue(&pass->book, job);
	/* the first job of a new association has it evaluated */
	if (!job_priority_alone(scope, job, &priority) && restore(pass, scope.now) &&
	    fairshare_evaluate_newcomer(pass->fairshare, settings, job->assoc_ptr))
		job_priority_alone(scope, job, &priority);
	settings_release(settings);
	return priority;
}

void pass_job_end(struct pass *pass, job_record_t *job)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	struct settings *settings = pass_settings(pass);
	struct fathom_charges *charges;

	/* usage must be there before any is added to it */
	restore(pass, time(NULL));
	assoc_mgr_lock(&locks);
	charges = book_end_job(&pass->book, settings, job, time(NULL),
			       fairshare_time(pass->fairshare));
	if (charges)
		fairshare_charge_ended_job(pass->fairshare, charges, job);
	assoc_mgr_unlock(&locks);
	fathom_charges_destroy(charges);
	settings_release(settings);
}
