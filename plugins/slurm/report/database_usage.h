/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage of another cluster by what slurmdbd has summed up for each of its associations and hours,
 * decayed by the half-life of this cluster:
 *
 *	half-life an hour, 3600 s of ada's from 8 to 9; at 10:20	-> as of 10:00 3600 × 2^-1.5
 *
 * For a thread of its own, as slurmdbd may not answer.
 */
#pragma once

#include "core/numbered_names.h"
#include "json/usage_list.h"
#include "settings/settings.h"

struct database_usage {
	struct usage_list list;		/* as of list.time, the end of the last hour in it */
	struct numbered_names names;	/* of its entries: "account\nuser\npartition" */
	time_t since;			/* the first hour in it */
	double half_life;
	uint64_t sum;			/* what the cluster has used in these hours, of all TRES */
};

struct database_question {
	const struct settings *settings;
	const char *cluster;
	time_t now;
	bool (*is_abandoned)(void *context);	/* true: ask no more */
	void *context;
};

/*
 * Brings usage up to the last hour that slurmdbd has summed up. Asks nothing until another one can
 * be there. *usage: NULL: nothing is known yet. Returns 1 if the list is another one than before,
 * 0 if it is the same. -1: *problem says why; what is known stays.
 */
int database_usage_renew(struct database_usage **usage, const struct database_question *question,
			 struct fathom_error *problem);
void database_usage_destroy(struct database_usage *usage);
