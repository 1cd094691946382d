/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the text of a formula before muParser compiles it: all words are known,
 * functions have the right number of arguments, brackets are closed, and all means
 * the same as in Python.
 */
#pragma once

#include "fathom.h"

/* The names that a formula may use, other than functions and constants. */
struct vocabulary {
	/* Returns a name; NULL after the last one. */
	const char *(*name)(const void *context, size_t index);
	/* Notes that a name occurs at a column, from 1. False: the name is not known after
	 * all. */
	bool (*use)(void *context, size_t index, size_t column);
	/* Writes to `how` what users have to do so that an unknown word becomes known. False:
	 * they can do nothing. */
	bool (*explain)(const void *context, const char *word, char *how, size_t size);
	void *context;
};

/* Checks `text` and writes it to `out` as the parser wants it. `out` has the size of
 * `text`, and each column stays the same. -1: EINVAL, the error begins with "column N: ",
 * from 1. */
int syntax_check(const char *text, const struct vocabulary *vocabulary, char *out,
		 struct fathom_error *error);
/* Sets the error for a mistake that only the parser found. position: column, from 0.
 * Returns -1. */
int syntax_unexpected(const char *text, size_t position, struct fathom_error *error);
