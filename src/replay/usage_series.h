/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of all usage that each account has had, at up to two hundred passes. When a series is
 * full, every second point is dropped, and from then on only every second pass is noted:
 *
 *	pass	0 1 2 3		full at 4 points
 *	then	0 2 4 6		of passes 0 to 7; then 0 4 8 12, and so on
 */
#pragma once

#include "fathom.h"
#include "replay/yardstick.h"

#define SERIES_MOST_POINTS 200

struct usage_series {
	double *time;		/* by point */
	float *part;		/* by point, then by node: usage of it and all nodes below over that
				 * of the root, 0 to 1; 0 if the root has none */
	double *total;		/* by node: working memory */
	size_t nodes;
	size_t count, most;	/* points: how many, at most how many */
	uint64_t passes;	/* so far */
	uint64_t stride;	/* passes from one noted pass to the next: 1, 2, 4, … */
};

/* Makes a series without points. nodes: number of nodes of the tree. */
void usage_series_create(struct usage_series *series, size_t nodes);
/* Notes a pass, unless the stride leaves it out. parent: by node, its parent; parents come before
 * their children; integral: that of the yardstick at `time`. */
void usage_series_add(struct usage_series *series, const uint32_t *parent,
		      const struct yardstick *yardstick, double integral, double time);
