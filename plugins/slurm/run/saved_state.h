/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage that survives a restart of slurmctld. At the start the state files are read, and as soon as
 * slurmctld has associations rows are made of their usage. Nothing is charged before.
 * After each pass the image of all usage is saved.
 *
 *	saved_state_load	at the start
 *	saved_state_find	before each pass divides slot pools: reads again what could not be
 *				read
 *	saved_state_restore	before each pass, until it succeeds
 *
 * If multifactor ran last, usage is that of slurmctld's records. What the image has beside usage,
 * the sums of policies, is brought up to multifactor's last pass.
 *
 *	saved_state_pass_done, saved_state_save		after each pass
 */
#pragma once

#include "charging/book.h"
#include "fairshare/fairshare.h"
#include "partitions/pools.h"
#include "state/dump_watch.h"
#include "state/state.h"

struct saved_state {
	struct fairshare *fairshare;
	struct book *book;
	struct pool_seats *seats;	/* what partitions of slot pools have used */

	/* for the decay thread alone until it has ended */
	struct found_state state;	/* usage to go on from; once restored without the image */
	bool restored;			/* passes go on from the usage that was found */
	time_t begun;			/* when the plugin was loaded */
	char *folder;			/* StateSaveLocation; only a restart changes it */
	bool save_failed;		/* the last image could not be saved */
	bool is_alone;			/* the image before could not be kept */
	struct dump_watch dump_watch;
	struct applied_usage applied;	/* imports and requests that usage contains */
	time_t last_reset;		/* when PriorityUsageResetPeriod last set usage to 0 */
};

/* -1: out of memory. The caller frees the other three after `saved`. */
int saved_state_init(struct saved_state *saved, struct fairshare *fairshare, struct book *book,
		     struct pool_seats *seats);
void saved_state_clear(struct saved_state *saved);

/* Reads the state files. No other thread runs yet. */
void saved_state_load(struct saved_state *saved);
/* Reads the state files again if they could not be read. For the decay thread. */
void saved_state_find(struct saved_state *saved);
/* Restores usage, once. settings: of the pass. False: the state cannot be read yet, slurmctld has
 * no associations yet, or memory is short. */
bool saved_state_restore(struct saved_state *saved, const struct settings *settings, time_t now);

/* A pass has brought all records to `now`. */
void saved_state_pass_done(struct saved_state *saved, time_t now);
/* Saves the image of the last pass. False: it is not on disk. */
bool saved_state_save(struct saved_state *saved, struct usage_image *image);
