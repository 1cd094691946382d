/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which replay has the best figure by more than chance. */
#pragma once

#include "document/document.h"

#include <jansson.h>

/* Gives each of the reduced policies, in the order of those of the document, a list "best" of the
 * keys of figures in which it is the best: over the whole trace, and in at least 95 % of 1,000
 * random draws of as many weeks as the trace has, each week as often as it is drawn. Returns the
 * number of weeks; 0: too few, or not known, and all lists are empty. */
size_t weeks_find_best(struct document *input, const json_t *from, json_t *policies);
