/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The answer of fathom explain, as its text and its JSON print it. */
#pragma once

#include "evaluate/explain.h"

#include <stdio.h>

struct explain_source;

struct explain_answer {
	const struct fathom_policy *policy;
	const struct explained *explained;
	bool has_time;
	int64_t time;		/* seconds since 1970 */
	const char *scope;	/* whose tree it is, or NULL */
	int units;		/* of usage: which of WORDS_UNITS; UNITS_COUNT: not given */
	const struct explain_source *source;	/* of what was used, for a table */
	/* of --until */
	bool has_recovery;
	double level, half_life;
	enum explained_idle idle;
	struct explained_recovery recovery;
	const struct explained_would *would;	/* of --would, or NULL */
	/* while it is said: where sentences go, and what stands between them */
	FILE *out;
	const char *between;
};

/* Return the names of the tree that is explained, and the factor of a node. */
const struct snapshot *explain_snapshot(const struct explain_answer *answer);
double explain_factor(const struct explain_answer *answer, size_t node);
/* Returns what a reader should know, one sentence an idea, with `between` between sentences. */
char *explain_text(const struct explain_answer *answer, const char *between);
/* Returns whether it is in the tree that a pair parts: two users, or jobs that part at fair
 * share. */
bool explain_parts_in_tree(const struct explain_answer *answer);

/* Returns what the reader can do, each sentence with `between` before it. */
char *explain_advice_text(const struct explain_answer *answer, const char *between);

/* Returns the usage that the policy's figure compares with the share. */
double explain_shown_usage(const struct explained_tree *of, size_t node);
/* Prints sentences, a line each and broken at blanks; changes the text. */
void print_sentences(char *text);
/* Print the answer: sentences and tables; or JSON. */
void print_explanation(const struct explain_answer *answer);
void print_explanation_json(const struct explain_answer *answer);

/* Returns whether some of the tree, or of the jobs that the question is about, may be hidden. */
bool explain_hides_usage(const struct explain_answer *answer);
bool explain_hides_jobs(const struct explain_answer *answer);

/* Returns the row with the values of the formula from which the priority of this one of a pair
 * comes; NULL: it comes from none, or they are not known. */
const struct job_row *explain_formula_row(const struct explain_answer *answer, size_t which);
/* Returns the name of a term as a reader knows it. */
const char *explain_term_name(const struct explained_term *term);
