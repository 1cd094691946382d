/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage of another cluster by what slurmdbd has summed up for each of its associations and hours,
 * decayed by the half-life of this cluster:
 *
 *	half-life 1 h; ada has used 3600 s from 8:00 to 9:00, which counts as used at 8:30;
 *	asked at 10:20: ada's usage is 3600 × 2^-1.5 s, as of 10:00
 *
 * Called in a thread of its own (report/background.h), as slurmdbd may not answer.
 */
#pragma once

#include "core/numbered_names.h"
#include "json/usage_list.h"
#include "report/background.h"
#include "settings/settings.h"

/* What is known of a cluster. */
struct database_usage {
	struct usage_list list;		/* as of list.time, the end of the last hour in it */
	struct numbered_names names;	/* of its entries, in their order: "account\nuser" or
					 * "account\nuser\npartition" */
	time_t since;			/* when the first hour in it began */
	double half_life;		/* by which it is decayed, seconds; 0: no decay */
	uint64_t sum;			/* TRES seconds of all TRES that the cluster has used in
					 * these hours, not decayed */
};

/* What slurmdbd is asked for, and when no more. */
struct database_question {
	const struct settings *settings;	/* of this cluster */
	const char *cluster;		/* name of the other one */
	time_t now;
	struct background *background;	/* abandoned: ask no more */
};

/*
 * Brings *usage up to the last hour that slurmdbd has summed up; may replace the object. Asks
 * nothing until another hour is over. *usage NULL: nothing is known yet. Returns 1 if the list has
 * changed, 0 if it has not. -1: *problem says why; what is known stays.
 */
int database_usage_renew(struct database_usage **usage, const struct database_question *question,
			 struct fathom_error *problem);
/* Does nothing with NULL. */
void database_usage_destroy(struct database_usage *usage);
