/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes jobs in fathom's own JSON. */
#pragma once

#include "jobs/jobs.h"

#include <stdio.h>

/* Writes the members of a document from "cluster" to "jobs", without braces around them. The caller
 * checks ferror(). */
void fathom_jobs_put_members(FILE *out, const struct jobs *jobs);
