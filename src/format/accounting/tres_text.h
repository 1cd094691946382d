/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads counts of TRES as Slurm prints them: "billing=12,cpu=12,gres/gpu=2,mem=62.50G".
 * K, M, G, T and P mean powers of 1024; memory is in megabytes, and a number alone is
 * megabytes.
 */
#pragma once

#include "core/piece.h"

struct tres_word {
	struct piece name;
	double count;		/* 0 or more */
};

/* Reads a count, such as "12" or "1.50K". -1: it is no such count. */
int tres_count_parse(struct piece text, double *count);
/* Takes the next word from *text. Returns 1; 0: there is none; -1: a word is no NAME=COUNT. */
int tres_text_next(struct piece *text, struct tres_word *word);
/* Finds the count of a TRES, in upper or lower case. Returns 1; 0: the text has no such TRES; -1: a
 * word before it is no NAME=COUNT. */
int tres_text_count(struct piece text, const char *name, double *count);
