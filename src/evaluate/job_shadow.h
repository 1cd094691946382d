/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What priorities jobs would have under the shadow policy. */
#ifndef EVALUATE_JOB_SHADOW_H
#define EVALUATE_JOB_SHADOW_H

#include "evaluate/evaluated_tree.h"
#include "evaluate/job_list.h"

/*
 * Fills each row's shadow: the weighted sum with the shadow's fair-share
 * factor, and ranks. A row that is held keeps 0, one whose priority was set
 * that. is_known: false if the factors mean nothing, which leaves NAN. -1: ENOMEM.
 */
int job_list_add_shadow(struct job_list *list, const struct evaluated_tree *shadow, bool is_known,
			struct fathom_error *error);
/* Places that the shadow policy moves a row up; NAN where it has none. */
double job_row_change(const struct job_row *row);

#endif
