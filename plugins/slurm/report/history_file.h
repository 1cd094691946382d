/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds a day to the HistoryFile of fathom.conf. The thread that writes FiguresFile does so. */
#pragma once

#include "results/results.h"
#include "settings/settings.h"

/* Start with all members 0. */
struct history_file {
	char path[2 * PATH_MAX];	/* of a folder, and in there */
	mode_t mode;			/* FiguresMode */
	double age;			/* HistoryAge, seconds; 0: days are kept for ever */
	time_t recorded;		/* the midnight at which a day began that the file has */
	char problem[256];		/* that was logged last; "": none */
};

/* Prepares for a pass at this time; a relative HistoryFile is in the folder. False: the settings
 * name no file, or it has the day. */
bool history_file_is_due(struct history_file *file, const char *folder,
			 const struct settings *settings, time_t now);
/* Adds the figures of the policy in force, unless the file has some of that day, and removes days
 * older than HistoryAge. names: of the evaluation's associations. is_abandoned (context): the file
 * must not be changed any more. If it cannot be written, or is another program's, that is logged
 * once and the file stays as it was; the next pass tries again. */
void history_file_record(struct history_file *file, const struct evaluation *evaluation,
			 const struct snapshot *names, bool (*is_abandoned)(void *context),
			 void *context);
