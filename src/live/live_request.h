/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests a change of usage of priority/fathom: a file in slurmctld's StateSaveLocation. */
#pragma once

#include "json/usage_request.h"

#include <sys/types.h>

struct live_request {
	const char *folder;	/* StateSaveLocation */
	uid_t slurm_user;
	double period;		/* seconds until the next pass, at most */
};

/* Finds the place for a request, a struct live_request. Wrong are a cluster that runs another
 * plugin, a caller who is neither root nor SlurmUser, and a host without slurmctld. */
void live_request_begin(void *place);
/* Writes the request; the next pass makes it. -1: EEXIST if another one still waits; another
 * errno. */
int live_request_post(const struct live_request *place, const struct usage_request *request,
		      struct fathom_error *error);
