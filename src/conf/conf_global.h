/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of fathom.conf that begin with GlobalShare: other clusters whose usage counts in this one,
 * too. An error on any other line makes the whole file wrong; one on these lines makes only that
 * line void: it has no effect.
 *
 *	GlobalShare=tux Source=/shared/tux.json Weight=0.5 MaxAge=2h Map=phys:physics
 *	GlobalShare=kit Source=slurmdbd
 */
#pragma once

#include "fathom.h"

#include <stdbool.h>

#define CONF_GLOBAL_DATABASE "slurmdbd"	/* the Source whose usage slurmdbd tells */
#define CONF_GLOBAL_SKEW 60	/* seconds by which clocks of clusters may differ */

/* An account of the other cluster, and the account of this one in which its usage counts. */
struct conf_account_map {
	char *there, *here;
};

struct conf_global_share {
	unsigned line;
	char *cluster;		/* ClusterName of the other one, in small letters as Slurm has it */
	char *source;		/* its UsageFile, an absolute path, or CONF_GLOBAL_DATABASE; NULL:
				 * not given */
	double weight;		/* by which its usage is multiplied; above 0 */
	double max_age;		/* seconds; usage of an older file is said to be stale */
	struct conf_account_map *map;	/* accounts that have another name there */
	size_t map_count;
};

/* A line that has no effect, and what is wrong with it: "Key: ...". */
struct conf_void {
	unsigned line;		/* of the error: the line or one that continues it */
	struct fathom_error error;
};

struct conf_global_shares {
	struct conf_global_share *share;	/* without void lines, in the order of the lines */
	size_t count;
	struct conf_void *fault;		/* the void lines */
	size_t fault_count;
};

/* Adds a share with its defaults for the line of this number. -1: ENOMEM; EINVAL: that cannot be
 * the name of a cluster. The share may have been added; conf_global_void() removes it. */
int conf_global_add(struct conf_global_shares *shares, const char *cluster, unsigned line,
		    struct fathom_error *error);
/* Adds the pairs of "THERE:HERE,THERE:HERE...". share: a struct conf_global_share, as this is a
 * key_storer. -1: EINVAL, ENOMEM. */
int conf_global_map(void *share, const char *list, struct fathom_error *error);
/* Makes a line void: removes its share, and notes the error "KEY: WHAT". error_line: that of the
 * error, which is further down if the line is continued. -1: out of memory; the share is
 * removed. */
int conf_global_void(struct conf_global_shares *shares, unsigned line, unsigned error_line,
		     const char *key, const char *what);
/* Makes lines void that lack a Source, name this cluster, or name one that an earlier line names.
 * own: the name of this cluster; NULL: not known. -1: out of memory. */
int conf_global_check(struct conf_global_shares *shares, const char *own);
/* Returns whether slurmdbd is asked for the cluster's usage. The share has a source. */
bool conf_global_is_database(const struct conf_global_share *share);
/* Returns the account of this cluster in which usage of the account `there` of the other one
 * counts: that of the map, else the one of the same name. The text belongs to the share, or is
 * `there`. */
const char *conf_global_account(const struct conf_global_share *share, const char *there);
void conf_global_clear(struct conf_global_shares *shares);
