/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the text of a formula before muParser compiles it: all words are known,
 * functions have the right number of arguments, brackets are closed, and what muParser
 * would read differently from Python is refused or rewritten.
 */
#pragma once

#include "fathom.h"

/* The names that a formula may use, other than functions and constants. */
struct vocabulary {
	/* Returns name number `index`; NULL after the last one. */
	const char *(*name)(const void *context, size_t index);
	/* Notes that name number `index` occurs at a column, from 1. Returns false if the formula
	 * must not use the name. */
	bool (*use)(void *context, size_t index, size_t column);
	/* Writes to `how`, of `size` bytes, what users have to do so that the formula may use a
	 * word. Returns false if they can do nothing. */
	bool (*explain)(const void *context, const char *word, char *how, size_t size);
	void *context;
};

/* Checks `text` and writes it to `out` as the parser wants it. out: as many bytes as `text` with
 * its NUL; each token keeps its column. -1: EINVAL; the error's text begins with "column N: ", from
 * 1, unless the formula is empty. */
int syntax_check(const char *text, const struct vocabulary *vocabulary, char *out,
		 struct fathom_error *error);
/* Sets the error for a mistake that only the parser has found, EINVAL. position: column, from 0; at
 * most the length of the text. Returns -1. */
int syntax_unexpected(const char *text, size_t position, struct fathom_error *error);
