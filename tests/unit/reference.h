/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * semantics.md written out a second time: naive, recursive, node by node, with
 * nothing in common with src/. For trees of at most REFERENCE_MAX rows with
 * whole numbers as usage, a parent before its children.
 */
#ifndef UNIT_REFERENCE_H
#define UNIT_REFERENCE_H

#include "fathom.h"

#define REFERENCE_MAX 100

struct reference {
	const struct fathom_row *rows;
	size_t count;
	int parent[REFERENCE_MAX], fs_parent[REFERENCE_MAX];	/* of each row; root: 0 */
	double usage[REFERENCE_MAX], level_shares[REFERENCE_MAX];
};

enum reference_mode { REFERENCE_DOCUMENTED, REFERENCE_SLURM, REFERENCE_FLUX };

void reference_read(struct reference *reference, const struct fathom_row *rows, size_t count);
double reference_norm_shares(const struct reference *reference, int n);
double reference_norm_usage(const struct reference *reference, int n);
double reference_classic(const struct reference *reference, int n);
double reference_depth_oblivious(const struct reference *reference, int n);
/* 2^(-U_E/S/d) of either; NAN for the root. */
double reference_factor(const struct reference *reference, int n, double dampening_factor,
			double (*effective_usage)(const struct reference *, int));
/* rank: a number a row, 0 for accounts. */
void reference_ranks(const struct reference *reference, enum reference_mode mode, double *rank);

#endif
