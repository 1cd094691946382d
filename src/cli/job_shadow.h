/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What priorities jobs would have under the shadow policy. */
#ifndef CLI_JOB_SHADOW_H
#define CLI_JOB_SHADOW_H

#include "cli/evaluated_tree.h"
#include "format/job_list.h"

/*
 * Fills each row's shadow: the weighted sum with the shadow's fair-share
 * factor, and ranks. A row that is held keeps 0, one whose priority was set
 * that. -1: ENOMEM.
 */
int job_list_add_shadow(struct job_list *list, const struct figures *shadow,
			struct fathom_error *error);
/* False: a running cluster's policy goes by sums that only a FiguresFile has. */
bool job_shadow_is_known(const struct figures *shadow);
/* Places that the shadow policy moves a row up; NAN where it has none. */
double job_row_change(const struct job_row *row);

#endif
