/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranks of a tree's users by one of their figures. fathom_ranks() of fathom.h, which ranks any
 * values, also those of jobs, is in ranks.c, too. */
#pragma once

#include "fathom.h"

/* Returns the ranks of all users, see fathom_ranks(), by node; NAN: the node is an account, or its
 * figure is NAN. figure: by node. The caller frees them. NULL: out of memory. */
double *user_ranks(const struct fathom_tree *tree, const double *figure);
