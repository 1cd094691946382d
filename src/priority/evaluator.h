/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parser of arithmetic behind a formula: muparser.c, or without_muparser.c
 * where it is not built in. Text has passed formula_check().
 */
#ifndef PRIORITY_EVALUATOR_H
#define PRIORITY_EVALUATOR_H

#include "fathom.h"

struct evaluator;

/* NULL: ENOSYS if there is no parser, ENOMEM. */
struct evaluator *evaluator_create(struct fathom_error *error);
void evaluator_destroy(struct evaluator *evaluator);
/* Reads a name's value at `value` from now on. */
void evaluator_bind(struct evaluator *evaluator, const char *name, double *value);
/* Once, after all names are bound; evaluates. -1: *position is where, from 0,
 * the text goes wrong, its length where something is missing at the end. */
int evaluator_compile(struct evaluator *evaluator, const char *text, size_t *position);
/* Allocates nothing and cannot fail. */
double evaluator_value(struct evaluator *evaluator);

#endif
