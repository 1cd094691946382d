/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentences of fathom explain, by what they are about. A function without a result prints to
 * answer->out; one that returns a text prints nothing. */
#pragma once

#include "cli/explain/explain_command.h"

/* ---- said_names.c ------------------------------------------------------------------------ */

/* Returns a row of the question's list by its index. */
const struct job_row *row_of(const struct explain_answer *answer, size_t row);
/* "ann in account physics", "ann in account physics, partition gpu", "account physics" */
const char *name_in(const struct snapshot *snapshot, size_t node);
const char *name_node(const struct explain_answer *answer, size_t node);
/* "job 7 of ann in account physics", as far as user and account are known */
const char *name_row(const struct job_row *row);
/* Returns the full name of a job, or of a user or account. */
const char *name_one(const struct explain_answer *answer, const struct explained_one *one);
/* Returns the name of a node that has been named in full before: "ann", "account physics"; of a
 * pair that is one user in two accounts still in full. */
const char *short_node(const struct explain_answer *answer, size_t node);
/* Returns the name of what has been named in full before: "job 7", else as short_node() does. */
const char *short_name(const struct explain_answer *answer, const struct explained_one *one);
/* Returns a name as it begins a sentence: "Job 7", "Account a"; a user's name as it is. */
const char *capital(const char *name);
/* Prints the next sentence, or its beginning, with answer->between before it. */
void say(const struct explain_answer *answer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- say_job.c --------------------------------------------------------------------------- */

/* Says a waiting job's rank, the job next ahead, what matters more than its priority, and what its
 * priority is made of. It begins the text. */
void say_job(const struct explain_answer *answer, const struct explained_one *one);
/* Says what matters more than the terms of a job's priority: "It is held: ..."; of a pair "Job 7 is
 * held: ...". The clauses own_hold and reason say in detail why a job does not start, so that a
 * sentence that says less is left out beside them. */
void say_state(const struct explain_answer *answer, const struct explained_one *one);
/* Says what the job's priority is made of: the greatest term, or the formula. */
void say_terms(const struct explain_answer *answer, const struct explained_one *one);
/* Returns the name of the first value of the formula that is not known for a job; NULL: all are
 * known, or the job has no row with values. which: 0 for who, 1 for whom. */
const char *missing_input(const struct explain_answer *answer, size_t which);

/* ---- say_user.c -------------------------------------------------------------------------- */

/* Says a user's or an account's rank, the next ahead, what its user can do, and what costs most. */
void say_user(const struct explain_answer *answer, const struct explained_one *one);
/* Says at which node of the path a user loses most, whose usage that is, and how many users go
 * first by it. */
void say_cost(const struct explain_answer *answer, const struct explained_one *one);
/* Says of a user or account without usage that it itself has used nothing. Returns whether it has
 * none. */
bool say_nothing_used(const struct explain_answer *answer, const struct explained_one *one);
/* Says what the policy's figure in the table means. */
void say_meaning(const struct explain_answer *answer);
/* Says what the reader can do: go by another account, or run nothing for a time. Of a pair it is
 * about the one behind; a single user is compared with the next user ahead. */
void say_advice(const struct explain_answer *answer);
/* Returns how a node's usage compares with its share: "has used 3 times its share", or "counts as
 * having used"; if the policy's figure has no target, the figure: "has a Priority of 0.2". The
 * policy must compare users. */
const char *say_used(const struct explain_answer *answer, size_t node, int digits);
/* Returns whether the policy's figure of a node is not that of its own usage: what others in its
 * account have used counts in part. */
bool counts_others(const struct explain_answer *answer, size_t node);

/* ---- say_pair.c -------------------------------------------------------------------------- */

/* Explains the order of two. */
void say_pair(const struct explain_answer *answer);
