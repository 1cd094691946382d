/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a formula's text is looked at before the parser sees it: that words
 * are known, calls have their arguments, brackets are closed, and that nothing
 * in it would mean something else than in Python.
 */
#ifndef PRIORITY_SYNTAX_H
#define PRIORITY_SYNTAX_H

#include "fathom.h"

/* The names beside functions and constants. */
struct vocabulary {
	const char *(*name)(const void *of, size_t index);	/* NULL: behind the last */
	/* it stands there; false: it is none here */
	bool (*used)(void *of, size_t index, size_t column);
	/* writes what would make a name of a word that is none, if anything would */
	bool (*elsewhere)(const void *of, const char *word, char *how, size_t size);
	void *of;
};

/* Writes the text as the parser wants it, each character in its place, to
 * `out`, as long as `text`. -1: the error begins "column N: ", from 1. */
int syntax_check(const char *text, const struct vocabulary *vocabulary, char *out,
		 struct fathom_error *error);
/* For what only the parser found: what stands at a position, from 0. */
int syntax_unexpected(const char *text, size_t position, struct fathom_error *error);

#endif
