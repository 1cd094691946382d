/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares, at each pass, the usage of the nodes that have jobs with their shares. */
#ifndef REPLAY_FAIRNESS_H
#define REPLAY_FAIRNESS_H

#include "replay/replay_figures.h"

/* The nodes with demand: with jobs that wait or run. */
struct fairness {
	uint32_t *demanding;
	size_t count;
	size_t waiting;		/* how many nodes have jobs that wait */
	double *share;		/* by node: normalised share by the classic rule, 0 to 1 */
};

void fairness_create(struct fairness *fairness, const struct fathom_tree *tree);
/* A job of the node is submitted; starts; ends. */
void fairness_submit(struct fairness *fairness, struct node_figures *figures, uint32_t node);
void fairness_start(struct fairness *fairness, struct node_figures *figures, uint32_t node);
void fairness_end(struct fairness *fairness, struct node_figures *figures, uint32_t node);
/* Measures a pass. usage: by node, in any unit; period: seconds between passes. Does nothing if
 * no demanding node has used anything, or has a share. */
void fairness_measure(const struct fairness *fairness, struct replay_figures *figures,
		      const double *usage, double period);

#endif
