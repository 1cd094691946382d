/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads counts of TRES as Slurm prints them: "billing=12,cpu=12,gres/gpu=2,mem=62.50G".
 * K, M, G, T and P mean powers of 1024; memory is in megabytes, and a number alone is
 * megabytes.
 */
#pragma once

#include "core/piece.h"

/* A word of such a text. */
struct tres_word {
	struct piece name;
	double count;		/* 0 or more; of "mem": megabytes */
};

/* Reads a count that is not memory, such as "12" or "1.50K". -1: the text is not a count. */
int tres_count_parse(struct piece text, double *count);
/* Cuts the next word, NAME=COUNT, off *text. Skips words with 2^64 - 2 or 2^64 - 1, which stand for
 * a TRES that is not set, or infinite. Returns 1; 0: there is no further word; -1: the word has
 * another form. */
int tres_text_next(struct piece *text, struct tres_word *word);
/* Finds the count of a TRES, whose name may be in upper or lower case. Returns 1, and sets *count;
 * 0: the text lacks the TRES; -1: a word before it is not NAME=COUNT. */
int tres_text_count(struct piece text, const char *name, double *count);
