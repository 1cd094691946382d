/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests a change of usage of priority/fathom: a file in slurmctld's StateSaveLocation. */
#ifndef LIVE_LIVE_REQUEST_H
#define LIVE_LIVE_REQUEST_H

#include "json/usage_request.h"

#include <sys/types.h>

struct live_request {
	char *folder;		/* StateSaveLocation */
	uid_t slurm_user;
	double period;		/* seconds until the next pass, at most */
};

/* Finds the place for a request. -1: EINVAL if the cluster runs another plugin, EPERM if the caller
 * is neither root nor SlurmUser or if this is no host of slurmctld; the cluster cannot be reached;
 * nothing has to be cleared then. */
int live_request_begin(struct live_request *place, struct fathom_error *error);
/* Writes the request; the next pass makes it. -1: EEXIST if another one still waits; another
 * errno. */
int live_request_post(const struct live_request *place, const struct usage_request *request,
		      struct fathom_error *error);
void live_request_clear(struct live_request *place);

#endif
