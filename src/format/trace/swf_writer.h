/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes traces in the Standard Workload Format. */
#pragma once

#include "jobs/jobs.h"

#include <stdio.h>

/* Times of a trace without UnixStartTime count from here, as 0 is a time that is not known. */
#define SWF_NO_START 1

/* See format->write_jobs. */
void swf_write(FILE *out, const struct jobs *jobs);
/* See format->jobs_lost. */
void swf_lost(const struct jobs *jobs, void (*note)(void *context, const char *text),
	      void *context);
