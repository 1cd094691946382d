/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/saved_state.h"

#include "base/log.h"
#include "charging/gather.h"

#include <stdlib.h>
#include <string.h>

int saved_state_init(struct saved_state *saved, struct fairshare *fairshare, struct book *book)
{
	const char *folder = slurm_conf.state_save_location;

	*saved = (struct saved_state){ .fairshare = fairshare, .book = book,
				       .folder = strdup(folder ? folder : "") };
	pthread_mutex_init(&saved->lock, NULL);
	dump_watch_create(&saved->dump_watch, saved->folder);
	return saved->folder ? 0 : -1;
}

void saved_state_clear(struct saved_state *saved)
{
	dump_watch_destroy(&saved->dump_watch);
	usage_image_clear(&saved->image);
	free(saved->folder);
	pthread_mutex_destroy(&saved->lock);
}

/* ---- restore ------------------------------------------------------------------- */

/* Without a state file it is unknown up to when jobs have been charged. If the root association has
 * usage, jobs have been charged up to some time, so they are charged from now on. If not, they are
 * charged from their start. False: there are no associations yet. */
static bool begin_without_state(struct saved_state *saved, time_t now)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool ready, used;

	assoc_mgr_lock(&locks);
	ready = assoc_mgr_root_assoc;
	used = ready && assoc_mgr_root_assoc->usage->usage_raw > 0;
	assoc_mgr_unlock(&locks);
	if (used)
		book_begin(saved->book, now);
	return ready;
}

/* Before usage is restored: whether there are sums beside usage that is slurmctld's own. The caller
 * holds the lock. */
static bool has_sums_to_keep(const struct saved_state *saved)
{
	return saved->found == STATE_STOCK && saved->image.time;
}

/* The caller holds the lock. */
static void begin_charging(struct saved_state *saved)
{
	const struct state_times restored = { saved->image.time, saved->image.last_reset };

	if (saved->found == STATE_OWN)
		dump_watch_pass(&saved->dump_watch, &restored);
	else if (has_sums_to_keep(saved))	/* usage is not the image's */
		usage_image_clear(&saved->image);
	book_begin_charging(saved->book);
}

static bool put_back(struct saved_state *saved, const struct settings *settings,
		     const struct fathom_charges *meanwhile, time_t now)
{
	if (saved->found == STATE_OWN)
		return fairshare_restore(saved->fairshare, &saved->image);
	if (has_sums_to_keep(saved))
		return meanwhile && fairshare_keep_sums(saved->fairshare, settings, &saved->image,
							meanwhile);
	return begin_without_state(saved, now);
}

static bool restore(struct saved_state *saved, const struct settings *settings,
		    const struct fathom_charges *meanwhile, time_t now)
{
	bool done;

	slurm_mutex_lock(&saved->lock);
	if (!saved->restored && saved->found != STATE_UNREADABLE) {
		saved->restored = put_back(saved, settings, meanwhile, now);
		if (saved->restored)
			begin_charging(saved);
	}
	done = saved->restored;
	slurm_mutex_unlock(&saved->lock);
	return done;
}

/* The sums lack what jobs ran from the image's time to multifactor's last pass. A book of its own
 * charges that, as usage has it. */
static bool restore_with_sums(struct saved_state *saved, const struct settings *settings,
			      time_t now)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .tres = READ_LOCK };
	struct book *book = book_create();
	struct fathom_charges *meanwhile;
	uint32_t round;
	bool done = false;

	if (!book)
		return false;
	slurm_mutex_lock(&saved->lock);
	fairshare_follow_reset(&saved->image, settings, &saved->found_times);
	slurm_mutex_unlock(&saved->lock);
	assoc_mgr_lock(&locks);
	book_restore_jobs(book, &saved->image);
	assoc_mgr_unlock(&locks);
	meanwhile = book_gather(book, settings, (time_t)saved->found_times.time, &round);
	done = restore(saved, settings, meanwhile, now);
	fathom_charges_destroy(meanwhile);
	book_destroy(book);	/* it has the names in the charges */
	return done;
}

bool saved_state_restore(struct saved_state *saved, const struct settings *settings, time_t now)
{
	bool with_sums;

	slurm_mutex_lock(&saved->lock);
	with_sums = settings && !saved->restored && has_sums_to_keep(saved);
	slurm_mutex_unlock(&saved->lock);
	return with_sums ? restore_with_sums(saved, settings, now)
			 : restore(saved, NULL, NULL, now);
}

static enum state_found read_state(struct saved_state *saved, struct usage_image *image,
				   struct state_times *times, bool again)
{
	struct state_times dumped;
	enum state_found found = state_load(saved->folder, image, &dumped, again);

	*times = dumped;
	if (found == STATE_OWN)
		*times = (struct state_times){ image->time, image->last_reset };
	if (found != STATE_UNREADABLE)
		dump_watch_begin(&saved->dump_watch, &dumped,
				 found == STATE_OWN ? image->time : 0);
	return found;
}

/* The caller holds the lock and assoc read, or is alone. */
static void take_state(struct saved_state *saved, enum state_found found,
		       const struct usage_image *image, const struct state_times *times)
{
	static const char *const sources[] = {
		[STATE_NONE] = "slurmctld's own usage; no saved usage was found",
		[STATE_OWN] = "usage of our last pass",
		[STATE_STOCK] = "slurmctld's own usage, as of the last pass",
	};

	saved->last_reset = (time_t)times->last_reset;
	saved->applied = image->applied;
	fairshare_set_time(saved->fairshare, (time_t)times->time);
	if (found == STATE_OWN)
		book_restore_jobs(saved->book, image);
	else
		book_begin(saved->book, (time_t)times->time);
	book_believe_marks(saved->book, found == STATE_OWN ? 0 : saved->begun);
	saved->image = *image;
	saved->found_times = *times;
	info(LOG_PREFIX "%sgoing on with %s",
	     saved->found == STATE_UNREADABLE ? "the state can be read again; " : "",
	     sources[found]);
	saved->found = found;
}

void saved_state_load(struct saved_state *saved)
{
	struct usage_image image;
	struct state_times times;
	enum state_found found;

	saved->begun = time(NULL);
	book_wait_for_state(saved->book);
	found = read_state(saved, &image, &times, false);
	if (found == STATE_UNREADABLE)
		saved->found = found;
	else
		take_state(saved, found, &image, &times);
}

bool saved_state_find(struct saved_state *saved)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct usage_image image;
	struct state_times times;
	enum state_found found;

	if (saved->found != STATE_UNREADABLE)
		return true;
	found = read_state(saved, &image, &times, true);
	if (found == STATE_UNREADABLE)
		return false;
	slurm_mutex_lock(&saved->lock);
	assoc_mgr_lock(&locks);
	take_state(saved, found, &image, &times);
	assoc_mgr_unlock(&locks);
	slurm_mutex_unlock(&saved->lock);
	return true;
}

/* ---- save ------------------------------------------------------------------------ */

void saved_state_pass_done(struct saved_state *saved, time_t now)
{
	saved->image.last_reset = saved->last_reset;
	saved->image.applied = saved->applied;
	dump_watch_pass(&saved->dump_watch, &(struct state_times){ now, saved->last_reset });
}

bool saved_state_save(struct saved_state *saved)
{
	if (!saved->restored || !saved->image.time ||
	    state_save(saved->folder, &saved->image, &saved->save_failed))
		return false;
	dump_watch_save(&saved->dump_watch, saved->image.time);
	return true;
}
