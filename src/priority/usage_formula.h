/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The usage of a run by a formula of OpenPBS's fairshare_usage_res, such as "ncpus*walltime". */
#pragma once

#include "fathom.h"

/* Compiles a formula that uses fields alone. The caller calls fathom_formula_destroy(). NULL for
 * CPU time, "cput" or "", which needs no formula. -1: see fathom_formula_create(). */
int usage_formula_create(struct fathom_formula **formula, const char *text,
			 struct fathom_error *error);
/* Returns whether the name of a field occurs in a formula. formula: NULL: that of CPU time. */
bool usage_formula_uses(const struct fathom_formula *formula, const char *field);
/* Returns what a run has used after it has run for `seconds`; 0 if that cannot be computed.
 * formula: a struct fathom_formula; NULL: that of CPU time. Only one thread at a time may use it.
 * See fathom_sum_rules.used. */
double usage_formula_value(const struct fathom_stretch *run, double seconds, void *formula);
