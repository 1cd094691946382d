/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of all usage that each account has had, at some two hundred passes. When there are too
 * many, every second one is dropped, and only every second pass is noted from then on.
 */
#pragma once

#include "fathom.h"
#include "replay/yardstick.h"

#define SERIES_MOST_POINTS 200

/* Start with all members 0. */
struct usage_series {
	double *time;		/* by point */
	float *part;		/* by point and node: 0 to 1, with all nodes below */
	double *total;		/* by node: working memory */
	size_t nodes, count, most;
	uint64_t passes, stride;
};

/* Makes a series without points. nodes: of the tree. */
void usage_series_create(struct usage_series *series, size_t nodes);
/* Notes a pass. parent: by node; integral: that of the yardstick at this time. */
void usage_series_add(struct usage_series *series, const uint32_t *parent,
		      const struct yardstick *yardstick, double integral, double time);
