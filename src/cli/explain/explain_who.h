/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the jobs and users that fathom explain is asked about. */
#ifndef CLI_EXPLAIN_EXPLAIN_WHO_H
#define CLI_EXPLAIN_EXPLAIN_WHO_H

#include "cli/explain/explain_source.h"

/* Each fills question->row, or question->node. */
void explain_who_find_jobs(const struct explain_source *source,
			   const struct explain_options *options,
			   struct explain_question *question);
void explain_who_find_nodes(const struct explain_source *source,
			    const struct explain_options *options,
			    struct explain_question *question);

#endif
