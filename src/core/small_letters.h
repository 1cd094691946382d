/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Capitals of ASCII as small letters; others stay as they are, in every locale. Comparison without
 * regard to case. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

static inline char small_letter(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

/* Changes all capitals of a text, and returns the text. */
static inline char *make_small(char *text)
{
	for (char *at = text; *at; at++)
		*at = small_letter(*at);
	return text;
}

/* Compares without regard to case, as Slurm reads its configuration files. */
static inline bool same_word(const char *a, const char *b)
{
	while (*a && small_letter(*a) == small_letter(*b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

/* Returns the index of a word in a list, without regard to case; that of the end, if the list lacks
 * the word. The list ends after `count` words or with NULL. */
static inline size_t index_of_word(const char *const *words, size_t count, const char *word)
{
	size_t i = 0;

	while (i < count && words[i] && !same_word(words[i], word))
		i++;
	return i;
}

static inline bool has_capitals(const char *text)
{
	while (*text && small_letter(*text) == *text)
		text++;
	return *text;
}
