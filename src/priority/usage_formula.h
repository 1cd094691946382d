/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The usage of a run by a formula of OpenPBS's fairshare_usage_res, such as "ncpus*walltime". */
#pragma once

#include "fathom.h"

/* Returns what a run has used after it has run for `seconds`; 0 if that cannot be computed.
 * formula: a struct fathom_formula that uses fields alone; only one thread at a time may use it.
 * See fathom_sum_rules.used. */
double usage_formula_value(const struct fathom_stretch *run, double seconds, void *formula);
