/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads jobs with their priorities as fathom prio --json has printed them. */
#pragma once

#include "format/format.h"
#include "jobs/job_list.h"

/* Returns whether a file is such a document. */
bool printed_priorities_recognize(const struct document *input);
/* Reads the jobs into *list, which is overwritten. Of several policies the first one is read;
 * input->remark says so. Fails, see wrong_at(), if the document is wrong. The document does not
 * have the weights: they are computed from factors and weighted terms, and are 0 for a factor that
 * is 0 for all jobs. */
void printed_priorities_read(struct document *input, struct job_list *list);
