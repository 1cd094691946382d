/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer of fathom explain, as its text and its JSON print it. */
#ifndef CLI_EXPLAIN_EXPLAIN_ANSWER_H
#define CLI_EXPLAIN_EXPLAIN_ANSWER_H

#include "evaluate/explain.h"

#include <stdio.h>

struct explain_answer {
	const struct fathom_policy *policy;
	const struct explained *explained;
	bool has_time;
	int64_t time;		/* seconds since 1970 */
	const char *scope;	/* whose tree it is, or NULL */
	/* of --until */
	bool has_recovery;
	double level, half_life;
	enum explained_idle idle;
	struct explained_recovery recovery;
};

/* Returns what a reader should know, one sentence an idea, with `between` between sentences. The
 * caller frees it. NULL: out of memory. */
char *explain_text(const struct explain_answer *answer, const char *between);
/* Returns whether it is in the tree that a pair parts: two users, or jobs that part at fair
 * share. */
bool explain_parts_in_tree(const struct explain_answer *answer);

/* Prints sentences and tables. Returns 0, or EXIT_WRONG after printing an error. */
int print_explanation(const struct explain_answer *answer);
/* Prints the answer as JSON, and returns as print_explanation() does. */
int print_explanation_json(const struct explain_answer *answer);

/* Returns whether some of the tree, or of the jobs that the question is about, may be hidden. */
bool explain_hides_usage(const struct explain_answer *answer);
bool explain_hides_jobs(const struct explain_answer *answer);

/* Returns the row with the values of the formula from which the priority of this one of a pair
 * comes; NULL: it comes from none, or they are not known. */
const struct job_row *explain_formula_row(const struct explain_answer *answer, size_t which);
/* Returns the name of a value that is not known; NULL: all are. */
const char *explain_missing_input(const struct explain_answer *answer, size_t which);

/* Returns the name of a term as a reader knows it. */
const char *explain_term_name(const struct explained_term *term);

#endif
