/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of fathom.conf that begin with GlobalShare: other clusters whose usage counts in this one,
 * too. Unlike any other line, one with an error is void: it has no effect, and all others stay.
 *
 *	GlobalShare=tux Source=/shared/tux.json Weight=0.5 MaxAge=2h Map=phys:physics
 *	GlobalShare=kit Source=slurmdbd
 */
#pragma once

#include "fathom.h"

#include <stdbool.h>

#define CONF_GLOBAL_DATABASE "slurmdbd"

/* An account of the other cluster, and the account of this one in which its usage counts. */
struct conf_account_map {
	char *there, *here;
};

struct conf_global_share {
	unsigned line;
	char *cluster;		/* ClusterName of the other one, in small letters as Slurm has it */
	char *source;		/* its UsageFile, an absolute path, or CONF_GLOBAL_DATABASE; NULL:
				 * not given */
	double weight;		/* by which its usage is multiplied */
	double max_age;		/* seconds; usage of an older file is said to be stale */
	struct conf_account_map *map;
	size_t map_count;
};

/* A line that has no effect, and what is wrong with it: "Key: ...". */
struct conf_void {
	unsigned line;
	struct fathom_error error;
};

struct conf_global_shares {
	struct conf_global_share *share;	/* in the order of the lines */
	size_t count;
	struct conf_void *fault;
	size_t fault_count;
};

/* Adds a line. -1: ENOMEM, or EINVAL: no name of a cluster. */
int conf_global_add(struct conf_global_shares *shares, const char *cluster, unsigned line,
		    struct fathom_error *error);
/* Adds the pairs of "THERE:HERE,THERE:HERE...". */
int conf_global_map(struct conf_global_share *share, const char *list, struct fathom_error *error);
/* Makes a line void. at: the line of the error, further down if the line is continued. -1: out of
 * memory. */
int conf_global_void(struct conf_global_shares *shares, unsigned line, unsigned at,
		     const char *key, const char *what);
/* Makes lines void that contradict others. own: the name of this cluster; NULL: not known. -1: out
 * of memory. */
int conf_global_check(struct conf_global_shares *shares, const char *own);
/* Returns whether slurmdbd is asked for its usage. */
bool conf_global_is_database(const struct conf_global_share *share);
/* Returns the account of this cluster in which usage of one of the other cluster counts. */
const char *conf_global_account(const struct conf_global_share *share, const char *there);
void conf_global_clear(struct conf_global_shares *shares);
