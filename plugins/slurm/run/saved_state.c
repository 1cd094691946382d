/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores usage from what state/state.h has found (saved_state_restore), and adds to an image what
 * neither rows nor the ledger have: slot pools, the last reset, the files that have been applied.
 */
#include "run/saved_state.h"

#include "base/slurm_locks.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

int saved_state_init(struct saved_state *saved, struct fairshare *fairshare, struct book *book,
		     struct pool_seats *seats)
{
	const char *folder = slurm_conf.state_save_location;

	*saved = (struct saved_state){ .fairshare = fairshare, .book = book, .seats = seats,
				       .folder = strdup(folder ? folder : "") };
	dump_watch_create(&saved->dump_watch, saved->folder);
	return saved->folder ? 0 : -1;
}

void saved_state_clear(struct saved_state *saved)
{
	dump_watch_destroy(&saved->dump_watch);
	usage_image_clear(&saved->state.image);
	free(saved->folder);
}

/* ---- slot pools ------------------------------------------------------------------------ */

/*
 * The image has a section of sums for each seat: partition "day" with 3600 CPU seconds in its pool
 * gives
 *
 *	section { scheme "day", policy SECTION_OF_POOLS }	row { leaf 0, usage 3600 }
 *
 * The row's `leaf` is the seat's `outside`.
 */

/* Adds what the seats have used to an image, except partitions whose names are too long for it. */
static void copy_pools(const struct pool_seats *seats, struct usage_image *image)
{
	for (size_t i = 0; i < seats->count; i++) {
		const struct pool_seat *seat = &seats->list[i];

		if (strlen(seat->name) <= SECTION_NAME_MAX &&
		    !usage_image_add_section(image, seat->name, SECTION_OF_POOLS, 0, 1))
			usage_image_add_sums_row(image, &(struct fathom_policy_sums_row){
				.leaf = (uint32_t)seat->outside, .time = (double)seats->time,
				.own.value = { [FATHOM_SUM_USAGE] = seat->use.seconds } });
	}
}

/* Replaces the seats by those of the image, with what these had used. If the state could not be
 * read at the start, what has been used since is dropped; when jobs are counted next, each seat is
 * taken to have held since the image's time what its jobs hold then. */
static void restore_pools(struct pool_seats *seats, const struct usage_image *image)
{
	uint32_t row = 0;	/* index of the section's first row */
	int status = 0;

	pool_seats_clear(seats);
	for (uint32_t i = 0; i < image->sums.section_count; i++) {
		const struct sums_section *section = &image->sums.section[i];

		if (!strcmp(section->policy, SECTION_OF_POOLS) && section->row_count) {
			struct fathom_policy_sums_row sums = usage_image_sums_row(image, row);

			seats->time = (time_t)sums.time;
			status |= pool_seats_restore(seats, section->scheme, sums.leaf,
						     sums.own.value[FATHOM_SUM_USAGE]);
		}
		row += section->row_count;
	}
	if (status)
		error(LOG_PREFIX "out of memory; what some partitions of slot pools have used is "
				 "lost");
}

/* ---- restore ------------------------------------------------------------------- */

/* Returns whether the state files could not be read at the last attempt; if so, the log says it. */
static bool is_unreadable(const struct saved_state *saved)
{
	return saved->state.found == STATE_UNREADABLE;
}

/* Sets the time from which on jobs are charged, unless a state file has told it. If the root
 * association has usage, jobs have been charged up to some unknown time, so they are charged from
 * now on; if not, from their start. Returns false if slurmctld has no associations yet. */
static bool begin_without_state(struct saved_state *saved, time_t now)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool has_associations, has_usage;

	locks_take(NULL, &locks);
	has_associations = assoc_mgr_root_assoc;
	has_usage = has_associations && assoc_mgr_root_assoc->usage->usage_raw > 0;
	locks_release(NULL, &locks);
	if (has_usage)
		book_begin(saved->book, now, saved->begun);
	return has_associations;
}

/* Restores the policies' sums from the image, while usage is what multifactor has left in the
 * records. Adds to the sums what has run between the image's time and multifactor's last pass,
 * which multifactor's usage contains already. Returns false if out of memory. */
static bool restore_sums(struct saved_state *saved, const struct settings *settings)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .tres = READ_LOCK };
	const struct found_state *state = &saved->state;
	struct book *book = book_create();	/* its ledger is that of the image's time */
	struct list_trail *no_trail = NULL;
	struct fathom_charges *meanwhile;
	bool done;

	if (!book)
		return false;
	locks_take(NULL, &locks);
	book_restore_jobs(book, &state->image);
	locks_release(NULL, &locks);
	meanwhile = book_gather(book, settings, (time_t)state->times.time, no_trail);
	done = meanwhile && fairshare_keep_sums(saved->fairshare, settings, &state->image,
						meanwhile);
	fathom_charges_destroy(meanwhile);
	book_destroy(book);	/* after the charges, as it has their names */
	return done;
}

/* Restores usage by the state that was found: from the image, or from slurmctld's records, with the
 * image's sums if multifactor ran last. Returns false if there are no associations yet, or if out
 * of memory. */
static bool restore(struct saved_state *saved, const struct settings *settings, time_t now)
{
	struct found_state *state = &saved->state;
	bool has_image;

	if (state->found == STATE_OWN) {
		if (!fairshare_begin(saved->fairshare, &state->image))
			return false;
		dump_watch_pass(&saved->dump_watch, &state->times);
		return true;
	}
	/* NULL: usage is that of slurmctld's records */
	if (!begin_without_state(saved, now) || !fairshare_begin(saved->fairshare, NULL))
		return false;
	if (state->found != STATE_MULTIFACTOR)
		return true;
	has_image = state->image.time;
	fairshare_follow_reset(saved->fairshare, &state->image, settings, &state->times);
	return !has_image || restore_sums(saved, settings);
}

bool saved_state_restore(struct saved_state *saved, const struct settings *settings, time_t now)
{
	if (saved->restored || is_unreadable(saved) || !restore(saved, settings, now))
		return saved->restored;
	usage_image_clear(&saved->state.image);
	/* the list of late charges, empty as ends have charged nothing so far, was made for another
	 * time of usage: ends from now on need a new one */
	fairshare_take_late(saved->fairshare);
	book_set_charging(saved->book, true);
	saved->restored = true;
	return true;
}

/* Reads the state files, and begins to watch slurmctld's dump unless they cannot be read. */
static struct found_state read_state(struct saved_state *saved)
{
	struct found_state state = state_load(saved->folder, is_unreadable(saved));

	if (state.found != STATE_UNREADABLE)
		dump_watch_begin(&saved->dump_watch, &state.dumped,
				 state.found == STATE_OWN ? state.image.time : 0);
	return state;
}

/* Takes the state that was found, to go on from it; if it is unreadable, only notes that. The
 * caller holds assoc, tres read, or no other thread runs. */
static void take_state(struct saved_state *saved, const struct found_state *state)
{
	static const char *const sources[] = {
		[STATE_NONE] = "the usage in Slurm's records; no saved usage was found",
		[STATE_OWN] = "the usage that the last pass saved",
		[STATE_MULTIFACTOR] = "the usage in Slurm's records, as of the last pass",
	};
	const struct usage_image *image = &state->image;
	bool is_own = state->found == STATE_OWN, again = is_unreadable(saved);

	saved->state = *state;
	if (state->found == STATE_UNREADABLE)
		return;
	saved->last_reset = (time_t)state->times.last_reset;
	saved->applied = image->applied;
	restore_pools(saved->seats, image);
	fairshare_set_time(saved->fairshare, (time_t)state->times.time);
	if (is_own)
		book_restore_jobs(saved->book, image);
	else
		book_begin(saved->book, (time_t)state->times.time, saved->begun);
	info(LOG_PREFIX "%sgoing on with %s", again ? "the state can be read again; " : "",
	     sources[state->found]);
}

void saved_state_load(struct saved_state *saved)
{
	struct found_state state;

	saved->begun = time(NULL);
	book_set_charging(saved->book, false);
	state = read_state(saved);
	take_state(saved, &state);
}

void saved_state_find(struct saved_state *saved)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .tres = READ_LOCK };
	struct found_state state;

	if (!is_unreadable(saved))
		return;
	state = read_state(saved);
	locks_take(NULL, &locks);
	take_state(saved, &state);
	locks_release(NULL, &locks);
}

/* ---- save ------------------------------------------------------------------------ */

bool saved_state_save(struct saved_state *saved, struct usage_image *image)
{
	image->last_reset = saved->last_reset;
	image->applied = saved->applied;
	copy_pools(saved->seats, image);
	/* Nothing is saved until all is restored, as rows may be there without their sums. Time 0
	 * says that memory ran out while the image was made, so that it is incomplete. */
	if (!saved->restored || !image->time ||
	    state_save(saved->folder, image, &saved->save_failed, &saved->lacks_previous))
		return false;
	dump_watch_save(&saved->dump_watch, image->time);
	return true;
}
