/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets other hosts check themselves: runs "fathom doctor --json" there, and reads the answers. */
#pragma once

#include "doctor/doctor.h"

struct host_list;

/* How a command is run on another host. */
enum doctor_way { DOCTOR_BY_SSH, DOCTOR_BY_SRUN, DOCTOR_WAY_COUNT };

/* Returns the name of a way, for --via. */
const char *doctor_way_name(enum doctor_way way);
/* Adds the rows of each host, in the order of the list, or a row that says why it has not answered.
 * slurm: the release for which plugins must be, as for --slurm, or NULL; seconds: how long a host
 * may take to answer. The names of hosts must not begin with "-", as options do. */
void doctor_ask_hosts(struct doctor_report *report, const struct host_list *hosts,
		      enum doctor_way way, const char *slurm, unsigned seconds);
