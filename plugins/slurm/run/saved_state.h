/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage from before the start, and the image that a pass saves. At the start the state files are
 * read; what they hold is put into the records as soon as slurmctld has associations. Until both
 * is done, nothing is charged.
 */
#ifndef SLURM_SAVED_STATE_H
#define SLURM_SAVED_STATE_H

#include "charging/book.h"
#include "fairshare/fairshare.h"
#include "state/dump_watch.h"
#include "state/state.h"

struct saved_state {
	struct fairshare *fairshare;
	struct book *book;

	pthread_mutex_t lock;		/* inside job locks, outside assoc_mgr's */
	enum state_found found;
	bool restored;			/* what was found is in the records */
	time_t begun;			/* when the plugin was loaded */

	/* used by the decay thread alone until it has ended */
	char *folder;			/* StateSaveLocation; only a restart changes it */
	struct usage_image image;	/* time 0: nothing to be saved */
	struct dump_watch dump_watch;
	time_t last_reset;
};

/* -1: out of memory. The other two outlive `saved`. */
int saved_state_init(struct saved_state *saved, struct fairshare *fairshare, struct book *book);
void saved_state_clear(struct saved_state *saved);

/* Reads the state files. No other thread runs yet. */
void saved_state_load(struct saved_state *saved);
/* Reads them again if that failed; for the decay thread. False: they still cannot be read. */
bool saved_state_find(struct saved_state *saved);
/* Puts what was found into the records, once. Takes assoc, qos write and tres read. False:
 * slurmctld has no associations yet, or the files cannot be read. */
bool saved_state_restore(struct saved_state *saved, time_t now);

/* A pass has brought all records and the image to `now`. */
void saved_state_pass_done(struct saved_state *saved, time_t now);
/* Saves the image of the last pass. */
void saved_state_save(struct saved_state *saved);

#endif
