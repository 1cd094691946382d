/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage that survives a restart of slurmctld. At the start the state files are read; as soon as
 * slurmctld has associations, rows are made from the usage in the files. Nothing is charged before
 * that. After each pass the image of all usage is saved.
 *
 *	saved_state_load	at the start
 *	saved_state_find	before each turn: reads again what could not be read
 *	saved_state_restore	before each pass, until it succeeds
 *	saved_state_save	after each pass
 *
 * If multifactor ran last, usage is that of slurmctld's records. The image then gives only the sums
 * of policies, which are brought up to multifactor's last pass.
 */
#pragma once

#include "charging/book.h"
#include "fairshare/fairshare.h"
#include "partitions/pools.h"
#include "state/dump_watch.h"
#include "state/state.h"

/* What a start goes on from, and the notes of saving. */
struct saved_state {
	/* the engine's, which get what is restored */
	struct fairshare *fairshare;
	struct book *book;
	struct pool_seats *seats;	/* what partitions have used of slot pools */

	/* for the decay thread alone until it has ended */
	struct found_state state;	/* the state to go on from; its image is empty once it is
					 * restored */
	bool restored;			/* usage goes on from `state`; false: nothing is charged
					 * yet */
	time_t begun;			/* when the plugin was loaded */
	char *folder;			/* StateSaveLocation, or ""; only a restart changes it */
	bool save_failed, lacks_previous;	/* for state_save(): the last write failed; the
						 * image before could not be kept */
	struct dump_watch dump_watch;
	struct applied_usage applied;	/* imports and requests that usage contains */
	time_t last_reset;		/* when PriorityUsageResetPeriod last set usage to 0 */
};

/* Returns -1 if out of memory. fairshare, book, seats: the caller's, which must live longer. The
 * caller calls saved_state_clear() in each case. */
int saved_state_init(struct saved_state *saved, struct fairshare *fairshare, struct book *book,
		     struct pool_seats *seats);
/* Ends the dump watch's thread, and frees all that is held. */
void saved_state_clear(struct saved_state *saved);

/* Reads the state files, and turns charging off until saved_state_restore() succeeds. No other
 * thread runs yet. */
void saved_state_load(struct saved_state *saved);
/* Reads the state files again if they could not be read before. For the decay thread. */
void saved_state_find(struct saved_state *saved);
/* Restores usage, unless that is done. Returns whether it is done; false: the state cannot be read
 * yet, slurmctld has no associations yet, or memory is short. settings: of the pass, at the time
 * `now`. */
bool saved_state_restore(struct saved_state *saved, const struct settings *settings, time_t now);

/* Adds what is kept here to the image of the last pass, and saves it. Returns false if the image is
 * not on disk, which state_save() logs, or if nothing may be saved yet. */
bool saved_state_save(struct saved_state *saved, struct usage_image *image);
