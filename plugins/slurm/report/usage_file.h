/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The UsageFile of fathom.conf: own usage of this cluster, which others count by GlobalShare. */
#pragma once

#include "results/evaluation.h"

#include "core/snapshot.h"

#include <stdio.h>

/* Writes own usage as of the evaluation: never that of other clusters, so that what came from one
 * is not handed on to the next. names: of its associations. The evaluation knows own usage. */
void usage_file_put(FILE *out, const struct evaluation *evaluation, const struct snapshot *names);
