/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The UsageFile of fathom.conf: own usage of this cluster, which others count by GlobalShare. */
#pragma once

#include "results/evaluation.h"

#include "core/snapshot.h"

#include <stdio.h>

/* Writes own usage as of the evaluation, in the format of json/usage_list.h; never that of other
 * clusters, so that what came from one is not handed on to the next. Nodes without own usage are
 * left out. names: of the evaluation's associations. evaluation->own is not NULL. */
void usage_file_put(FILE *out, const struct evaluation *evaluation, const struct snapshot *names);
