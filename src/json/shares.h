/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tree with the values that a policy computed for it, as one object of JSON. */
#pragma once

#include "core/snapshot.h"
#include "fathom.h"
#include "json/scope_head.h"
#include "policy/settings_layout.h"

#include <stdio.h>

#define JSON_SHARES_FORMAT "fathom-shares"
#define JSON_SHARES_VERSION 1

/* The columns of a result, each by node; see fathom_result_usage() and the calls after it. */
struct json_columns {
	const double *usage, *norm_shares, *norm_usage, *effective_usage, *factor;
	const double *column[FATHOM_MAX_COLUMNS];	/* the policy's own */
};

/* Returns the columns of a result of the policy. They point into the result. */
struct json_columns json_columns_of(const struct fathom_policy *policy,
				    const struct fathom_result *result);

/* The part of each association's usage that came from other clusters. */
struct json_global_usage {
	const double *own;		/* usage of this cluster alone, by node */
	const char *const *cluster;	/* names */
	const double *const *of;	/* usage of each cluster, by node */
	size_t count;			/* of clusters */
};

/* A cluster whose usage counts, too. */
struct json_global_cluster {
	const char *cluster, *source;	/* its name, and Source of its GlobalShare line */
	const char *fault;	/* why its usage is not used; or NULL */
	double weight;		/* by which its usage is multiplied */
	bool is_known;		/* its usage */
	int64_t time;		/* of its usage, seconds since 1970; if is_known */
	bool is_stale;		/* that time is longer ago than MaxAge */
	double unmapped;	/* usage in accounts that this cluster lacks, seconds */
};

/* What to write of a tree, and how. */
struct json_shares {
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	const struct snapshot *snapshot;
	struct json_columns columns;
	const double *rank;		/* of users, by node; NULL: only the policy's own column */
	const struct scope_head *scope;	/* the tree is that of this scope; NULL: of no scope */
	bool is_document;		/* begins with "format" and "version" */
	bool with_inputs;		/* also writes own usage, resources and partitions,
					 * but no time as text */
	bool has_partitions;		/* also writes partitions, without the other inputs */
	bool is_selection;		/* some associations are left out: "whole" is false */
	/* Also written, unless NULL: the part of usage from other clusters; and these clusters,
	 * global->count of them, which need `global`. */
	const struct json_global_usage *global;
	const struct json_global_cluster *cluster;
	const size_t *order;		/* the nodes to write */
	size_t count;			/* of them */
};

/* Writes the settings of a policy as one object. half_life: in seconds, with which usage was added
 * up from jobs; NULL: it was not. */
void json_put_settings(FILE *out, const struct fathom_policy *policy,
		       const struct fathom_settings *settings, const double *half_life);
/* Writes the node's own amounts of all resources that the tree has. */
void json_put_resources(FILE *out, const struct fathom_tree *tree, size_t node);
/* Writes the object of one association; shares->order and ->count have no effect. */
void json_put_association(FILE *out, const struct json_shares *shares, size_t node);
/* Writes the object of the tree: its head, and the associations of shares->order. */
void json_put_shares(FILE *out, const struct json_shares *shares);
/* Writes a comma and the member "global", unless `count` is 0. with_text: times also as text. */
void json_put_global(FILE *out, const struct json_global_cluster *cluster, size_t count,
		     bool with_text);
