/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of a site as lines of fathom.conf and slurm.conf, translated from files of its
 * scheduler. Each keeps its origin, so that an error names the file that the site knows:
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

/* Where a site's files say something. */
struct site_origin {
	const char *file;	/* "": no file says it; must live as long as the settings */
	size_t line;		/* 0: no line of it says it: it is how the scheduler works */
};

/* Stands for the first two arguments of wrong_at() and wrong_by(). */
#define AT_ORIGIN(origin)                                                                         \
	!*(origin).file ? NULL : &(struct document){ .name = (origin).file }, (origin).line

/* Returns "FILE:LINE" of an origin, or "FILE" if no line says it. */
const char *site_origin_text(const struct site_origin *origin);

/* KEY=VALUE. */
struct site_pair {
	char *key, *value;	/* value: without quotes */
	struct site_origin origin;
};

/* A line of fathom.conf or slurm.conf: one general pair, or a pair such as Scope=night followed by
 * those that describe the scope. */
struct site_line {
	struct site_pair *pair;	/* has one or more */
	size_t count;
};

/* The files that settings go into. */
enum site_file { SITE_FATHOM_CONF, SITE_SLURM_CONF, SITE_FILE_COUNT };

struct site_lines {
	struct site_line *line;
	size_t count;
};

/* Something that neither file can hold, and that gets lost; or a warning. */
struct site_loss {
	char *text;
	bool is_warning;	/* nothing gets lost */
	struct site_origin origin;
};

/* The priority of a queue that PriorityJobFactor cannot have. */
struct site_priority {
	char *queue;
	double value;
};

/* Start with all members 0. */
struct site_settings {
	struct site_origin origin;	/* of what is added next; set by the caller */
	struct site_lines of[SITE_FILE_COUNT];
	struct site_loss *loss;
	size_t loss_count;
	struct site_priority *priority;
	size_t priority_count;
};

/*
 * The next functions add to the settings; what they add gets settings->origin. Texts are copied.
 * They fail, see wrong_at(), if the value is empty, or has a '"', a control character or, for
 * slurm.conf, a '#'. key: as fathom.conf(5) or slurm.conf(5) spell it.
 */

/* Sets a general key. If it has a value already, a value that a line says counts rather than one of
 * line 0; otherwise the later value counts. Fails, see wrong_at(), if two files have different
 * values that a line says, or different ones of line 0. */
void site_settings_set(struct site_settings *settings, enum site_file file, const char *key,
		       const char *value);
/* Begins a line of its own with a key that may occur several times, such as Scope, ResourceGroup or
 * PartitionName. */
void site_settings_begin(struct site_settings *settings, enum site_file file, const char *key,
			 const char *value);
/* Begins the line of the partition that a queue becomes. Also fails if the queue is called
 * "default", in any case. */
void site_settings_begin_partition(struct site_settings *settings, const char *name);
/* Adds a pair to the line of this file that was begun last; there must be one. */
void site_settings_add(struct site_settings *settings, enum site_file file, const char *key,
		       const char *value);
/* Adds the priority of a queue, as its system writes it, to the line of its partition, which was
 * begun last. If PriorityJobFactor cannot have it, the line gets the nearest value. */
void site_settings_add_priority(struct site_settings *settings, const char *queue,
				const char *priority);
/* Returns the priority of a queue that PriorityJobFactor cannot have; if the queue has none such,
 * `in_line`, which is PriorityJobFactor. */
double site_settings_priority(const struct site_settings *settings, const char *queue,
			      double in_line);
/* Adds a pair to any line, without the checks of a value. */
void site_line_add(struct site_line *line, const char *key, const char *value,
		   struct site_origin origin);
/* Removes all lines that begin with this key. */
void site_settings_drop(struct site_settings *settings, enum site_file file, const char *key);
/* Adds all lines of other settings that begin with a key with which no line begins yet. with: only
 * these lines stay in it. */
void site_settings_complete(struct site_settings *settings, struct site_settings *with);
/* Notes something that gets lost: "round_robin True: what Slurm does instead". */
void site_settings_lose(struct site_settings *settings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Notes a warning: something that the site should know, though nothing gets lost. */
void site_settings_warn(struct site_settings *settings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns the first pair of the first line that begins with this key, in any case, such as the pair
 * of a general key; NULL: no line begins with it. */
struct site_pair *site_settings_find(const struct site_settings *settings, enum site_file file,
				     const char *key);
/* Returns whether there are any settings, losses or warnings. */
bool site_settings_given(const struct site_settings *settings);
