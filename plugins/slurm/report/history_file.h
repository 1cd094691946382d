/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adds a day to the HistoryFile of fathom.conf, in the thread that writes FiguresFile. */
#pragma once

#include "report/background.h"
#include "results/results.h"
#include "settings/settings.h"

/* HistoryFile, and what is known of it. Start with all members 0. */
struct history_file {
	char path[2 * PATH_MAX];	/* "": the settings have not named a file yet */
	mode_t mode;			/* FiguresMode */
	double age;			/* HistoryAge, seconds; 0: days are kept for ever */
	time_t recorded;		/* the midnight at which the last day began that the file is
					 * known to have; 0: it is not known to have any */
	char problem[256];		/* the problem that was logged last; "": the last day was
					 * added */
};

/* Takes the settings of a pass at the time `now` into *file. Returns whether the file may lack the
 * day; false also if the settings name no file. folder: where a relative HistoryFile is. */
bool history_file_is_due(struct history_file *file, const char *folder,
			 const struct settings *settings, time_t now);
/* Adds the figures of the policy in force as the day of the evaluation, unless the file has that
 * day, and removes days older than HistoryAge. names: of the evaluation's associations, without a
 * tree. background: once it is abandoned, the file must not be changed any more. If the file cannot
 * be written, or is another program's, it stays as it was; that is logged once, and the next pass
 * tries again. */
void history_file_record(struct history_file *file, const struct evaluation *evaluation,
			 const struct snapshot *names, struct background *background);
