/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has other hosts check themselves: "fathom doctor --json" is run there, and its answer read. */
#pragma once

#include "doctor/doctor.h"

struct host_list;

/* How a command is run on another host. */
enum doctor_way { DOCTOR_BY_SSH, DOCTOR_BY_SRUN, DOCTOR_WAY_COUNT };

const char *doctor_way_name(enum doctor_way way);
/* Adds the rows of each host, or a row that says why it has not answered. slurm: the release for
 * which plugins must be, or NULL; seconds: that a host may take. The names of hosts must not look
 * like options. */
void doctor_ask_hosts(struct doctor_report *report, const struct host_list *hosts,
		      enum doctor_way way, const char *slurm, unsigned seconds);
