/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes traces in the Standard Workload Format. */
#pragma once

#include "jobs/jobs.h"

#include <stdio.h>

/* Time 0 of a trace without UnixStartTime, in seconds since 1970. Not 0, because as the time of a
 * job that means not known. */
#define SWF_NO_START 1

/* Writes a trace: format->write_jobs. */
void swf_write(FILE *out, const struct jobs *jobs);
/* Calls note() with a text for each detail that the trace does not keep: format->jobs_lost. */
void swf_lost(const struct jobs *jobs, void (*note)(void *context, const char *text),
	      void *context);
