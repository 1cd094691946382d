/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of a site, as files of its scheduler say them, in the words of fathom.conf and
 * slurm.conf. Each keeps its origin, so that an error names the file that the site knows:
 *
 *	sched_config, line 7			fathom.conf
 *	unknown_shares: 10			UnknownShares=10
 *	round_robin: True			(lost)
 *
 *	lsb.queues, lines 3 to 8
 *	QUEUE_NAME = night			Scope=night Partitions=night Policy=lsf \
 *	FAIRSHARE = USER_SHARES[[default, 1]]		UserShares="[default, 1]"
 *	PRIORITY = 40				PartitionName=night PriorityJobFactor=40
 */
#pragma once

#include "document/document.h"
#include "fathom.h"

#include <stddef.h>

/* Where a site says something. line 0: no line says it, it is how the scheduler works. file: "" if
 * it comes from no file. */
struct site_origin {
	const char *file;
	size_t line;
};

/* Stands for the first two arguments of wrong_at() and wrong_by(). */
#define AT_ORIGIN(origin)                                                                         \
	*(origin).file ? &(struct document){ .name = (origin).file } : NULL, (origin).line

struct site_pair {
	char *key, *value;	/* value: as written, without quotes */
	struct site_origin origin;
};

/* A line of fathom.conf or slurm.conf: a general pair, or a pair such as Scope=night and all those
 * that describe it. */
struct site_line {
	struct site_pair *pair;
	size_t count;
};

/* The files of Slurm's that settings go into. */
enum site_file { SITE_FATHOM_CONF, SITE_SLURM_CONF, SITE_FILE_COUNT };

struct site_lines {
	struct site_line *line;
	size_t count;
};

/* What neither file can hold, and so would get lost; or a warning. */
struct site_loss {
	char *text;
	bool is_warning;	/* nothing is lost */
	struct site_origin origin;
};

/* Begin with all members 0. */
struct site_settings {
	struct site_origin origin;	/* of what is added next */
	struct site_lines of[SITE_FILE_COUNT];
	struct site_loss *loss;
	size_t loss_count;
};

/*
 * Add to the settings what stands at settings->origin. key: as fathom.conf(5) or slurm.conf(5)
 * spell it; value: not empty, without '"' and line ends, else its origin is told to be wrong. The
 * name of the file in an origin must live as long as the settings; texts are copied.
 */

/* Sets a general key. A second value from the same file replaces the first, and a line that says it
 * goes before how the scheduler works; it is wrong if another file says something else. */
void site_settings_set(struct site_settings *settings, enum site_file which, const char *key,
		       const char *value);
/* Begins a line of its own with a key that may occur several times, such as Scope, ResourceGroup or
 * PartitionName. */
void site_settings_begin(struct site_settings *settings, enum site_file which, const char *key,
			 const char *value);
/* Adds a pair to the line that was begun last in this file. */
void site_settings_add(struct site_settings *settings, enum site_file which, const char *key,
		       const char *value);
/* Adds a pair that needs no check to any line. */
void site_line_add(struct site_line *line, const char *key, const char *value,
		   struct site_origin origin);
/* Removes all lines that begin with this key. */
void site_settings_drop(struct site_settings *settings, enum site_file which, const char *key);
/* Notes what cannot be kept: "round_robin: what Slurm does instead". */
void site_settings_lose(struct site_settings *settings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Notes what the site should know, though nothing gets lost. */
void site_settings_warn(struct site_settings *settings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns the pair of a general key, or the first that begins a line with this key; NULL: none. */
const struct site_pair *site_settings_find(const struct site_settings *settings,
					   enum site_file which, const char *key);
/* Returns whether there are settings, or losses. */
bool site_settings_given(const struct site_settings *settings);
