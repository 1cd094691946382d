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

/* The columns of a result; see fathom_result_usage() and the calls after it. */
struct json_columns {
	const double *usage, *norm_shares, *norm_usage, *effective_usage, *factor;
	const double *column[FATHOM_MAX_COLUMNS];	/* the policy's own */
};

/* Returns the columns of a result of the policy. */
struct json_columns json_columns_of(const struct fathom_policy *policy,
				    const struct fathom_result *result);

/* What came from other clusters, of each association. */
struct json_global_usage {
	const double *own;		/* usage of this cluster alone, by node */
	const char *const *cluster;
	const double *const *of;	/* by cluster, by node */
	size_t count;			/* of clusters */
};

/* A cluster whose usage counts, too. */
struct json_global_cluster {
	const char *cluster, *source;
	const char *fault;	/* why its file is not used; or NULL */
	double weight;
	bool is_known;
	int64_t time;		/* of its usage, if that is known */
	bool is_stale;		/* that is longer ago than MaxAge */
	double unmapped;	/* seconds in accounts that this cluster lacks */
};

struct json_shares {
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	const struct snapshot *snapshot;
	struct json_columns columns;
	const double *rank;		/* of users, by node; NULL: only the policy's own column */
	const struct scope_head *scope;	/* the tree is that of a scope; or NULL */
	bool is_document;		/* begins with its format */
	bool with_inputs;		/* also writes own usage, resources and partitions,
					 * but no time as text */
	bool has_partitions;		/* also writes partitions, without the other inputs */
	bool is_selection;		/* of the associations: "whole" is false */
	const struct json_global_usage *global;	/* also writes that; or NULL */
	const struct json_global_cluster *cluster;	/* and of as many clusters this; or NULL */
	const size_t *order;		/* the nodes to write */
	size_t count;
};

/* Writes the settings of a policy as one object. half_life: with which its usage was added up from
 * jobs; NULL: it was not. */
void json_put_settings(FILE *out, const struct fathom_policy *policy,
		       const struct fathom_settings *settings, const double *half_life);
/* Writes the object of one association; `order` and `count` have no effect. */
void json_put_association(FILE *out, const struct json_shares *shares, size_t node);
void json_put_shares(FILE *out, const struct json_shares *shares);
/* Writes the key of other clusters, unless there are none. with_text: times also as text. */
void json_put_global(FILE *out, const struct json_global_cluster *cluster, size_t count,
		     bool with_text);
