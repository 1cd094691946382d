/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parser that evaluates formulas: muparser.c, or without_muparser.c if fathom
 * is built without muParser. It only gets text that syntax_check() has accepted.
 */
#pragma once

#include "fathom.h"

struct evaluator;

/* Makes an evaluator that knows all functions and constants. NULL: ENOSYS if fathom is built
 * without a parser; ENOMEM. */
struct evaluator *evaluator_create(struct fathom_error *error);
/* Frees an evaluator; NULL is allowed. */
void evaluator_destroy(struct evaluator *evaluator);
/* Makes a name known. Each evaluation reads its value from *value, which must live as long. */
void evaluator_bind(struct evaluator *evaluator, const char *name, double *value);
/* Compiles the formula, and evaluates it once with the values that its names have. Call it once,
 * after all names are bound. -1: the text is wrong; *position is the column of the mistake, from 0,
 * or the length of the text if something is missing at the end. */
int evaluator_compile(struct evaluator *evaluator, const char *text, size_t *position);
/* Returns the value of a compiled formula, which may be NAN or infinite. Allocates nothing and
 * cannot fail. */
double evaluator_value(struct evaluator *evaluator);
