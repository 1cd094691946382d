/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes jobs in fathom's own JSON. */
#pragma once

#include "jobs/jobs.h"

#include <stdio.h>

/* Writes a document with all that fathom_jobs.c reads. The caller checks ferror(). */
void fathom_jobs_write(FILE *out, const struct jobs *jobs);
/* Writes the document's members from "cluster" to "jobs" alone, without braces around them. */
void fathom_jobs_put_members(FILE *out, const struct jobs *jobs);
