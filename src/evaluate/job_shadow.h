/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The priorities that jobs would have under the shadow policy. */
#ifndef EVALUATE_JOB_SHADOW_H
#define EVALUATE_JOB_SHADOW_H

#include "evaluate/evaluated_tree.h"
#include "evaluate/job_list.h"

/*
 * Fills each row's shadow: the weighted sum with the fair-share factor of the shadow
 * policy, and the ranks by both priorities. A held job keeps priority 0, and one whose
 * priority an administrator has set keeps that. is_known: whether the factors mean
 * anything; if not, they are NAN. -1: ENOMEM.
 */
int job_list_add_shadow(struct job_list *list, const struct evaluated_tree *shadow, bool is_known,
			struct fathom_error *error);
/* Returns by how many places the shadow policy moves a row up; NAN: it has no rank. */
double job_row_change(const struct job_row *row);

#endif
