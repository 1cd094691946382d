/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * semantics.md written out a second time: naive, recursive, node by node, with
 * nothing in common with src/. For trees of at most REFERENCE_MAX rows with
 * whole numbers as usage, a parent before its children.
 */
#pragma once

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

/* Of policy pbs: initial_usage and unknown_shares. */
struct reference_pbs { const struct reference *tree; double initial, unknown; };
double reference_pbs_usage(const struct reference_pbs *pbs, int n);
double reference_pbs_perc(const struct reference_pbs *pbs, int n);
double reference_pbs_tree_usage(const struct reference_pbs *pbs, int n);
double reference_pbs_factor(const struct reference_pbs *pbs, int n);
/* The sign of a's place less b's, from what pbs makes of them, a number a row. */
int reference_pbs_order(const struct reference *reference, const double *usage, const double *perc,
			int a, int b);

/* rank: a number a row, 0 for accounts. */
void reference_ranks(const struct reference *reference, enum reference_mode mode, double *rank);
