/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/figures_copy.h"

#include "json/figures.h"
#include "partitions/divided_pools.h"
#include "results/scope_tree.h"
#include "records/association_names.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct figures_copy {
	struct settings *settings;
	struct evaluation *evaluation;
	struct divided_pools *pools;	/* or NULL */
	struct snapshot names;		/* its tree belongs to the evaluation */
};

struct figures_copy *figures_copy_create(struct results *results,
					 const struct settings *settings,
					 struct divided_pools *pools)
{
	struct figures_copy *copy = calloc(1, sizeof(*copy));

	if (!copy)
		return NULL;
	copy->settings = settings_reference(settings);
	copy->evaluation = results_evaluation(results);
	copy->pools = divided_pools_reference(pools);
	if (copy->evaluation && evaluation_settings(copy->evaluation) == settings) {
		copy->names.has_time = true;
		copy->names.time = evaluation_time(copy->evaluation);
		copy->names.tree = evaluation_tree(copy->evaluation, 0);
		if (association_names_read(&copy->names, evaluation_map(copy->evaluation),
					   fathom_tree_count(copy->names.tree)))
			return copy;
	}
	figures_copy_destroy(copy);
	return NULL;
}

void figures_copy_destroy(struct figures_copy *copy)
{
	if (!copy)
		return;
	copy->names.tree = NULL;
	snapshot_clear(&copy->names);
	evaluation_release(copy->evaluation);
	divided_pools_release(copy->pools);
	settings_release(copy->settings);
	free(copy);
}

/* ---- JSON ----------------------------------------------------------------------- */

/* The parts of struct json_figures while they are put together. */
struct figures_parts {
	const struct figures_copy *copy;
	size_t *order;			/* nodes, depth first */
	struct snapshot *snapshot;	/* by scheme: the same names, each with its own tree; or
					 * those of a scope's own tree */
	size_t **own_order;		/* by scheme: of such a tree; else NULL */
	struct scope_group *group;	/* UserGroup lines; `user_shares` is owned */
	bool failed;			/* out of memory */
	struct json_shares in_force, shadow;
	bool has_shadow;
	struct json_scope *scope;
	size_t scope_count;
	const char **partition;		/* of all scopes, one scope after the other */
	size_t partition_count;
};

/* A scope with UserShares has other nodes than the associations. */
static void use_own_nodes(struct figures_parts *parts, size_t scheme_index,
			  struct json_shares *shares)
{
	const struct scope_tree *own = evaluation_scope_tree(parts->copy->evaluation,
							     scheme_index);
	struct snapshot *snapshot = &parts->snapshot[scheme_index];
	size_t *order = calloc(2 * shares->count, sizeof(*order));	/* and the depth of each */

	*snapshot = (struct snapshot){ .tree = snapshot->tree, .has_time = snapshot->has_time,
				       .time = snapshot->time };
	parts->own_order[scheme_index] = order;
	if (!order || scope_tree_snapshot(own, snapshot) ||
	    snapshot_depth_first(snapshot, order, order + shares->count, NULL)) {
		parts->failed = true;
		shares->count = 0;
	}
	shares->order = order;
}

static struct json_shares shares_of(struct figures_parts *parts, size_t scheme_index)
{
	const struct evaluation *evaluation = parts->copy->evaluation;
	const struct scheme *scheme = &parts->copy->settings->scheme[scheme_index];
	struct snapshot *snapshot = &parts->snapshot[scheme_index];
	struct json_shares shares;

	*snapshot = parts->copy->names;
	snapshot->tree = evaluation_tree(evaluation, scheme_index);
	shares = (struct json_shares){
		.policy = scheme->policy, .settings = &scheme->settings,
		.snapshot = snapshot,
		.columns = json_columns_of(scheme->policy,
					   evaluation_result(evaluation, scheme_index)),
		.with_inputs = true,
		.order = parts->order, .count = fathom_tree_count(snapshot->tree),
	};
	if (evaluation_scope_tree(evaluation, scheme_index))
		use_own_nodes(parts, scheme_index, &shares);
	return shares;
}

static const char *dispatch_order(const struct scheme *scheme)
{
	if (!scheme->is_set)
		return NULL;
	return scheme->queue_first ? "queue" : "user";
}

/* Lists the groups of fathom.conf, used or not. */
static void list_groups(struct figures_parts *parts)
{
	const struct conf_user_groups *groups = &parts->copy->settings->user_groups;

	parts->group = calloc(groups->count + 1, sizeof(*parts->group));
	parts->failed |= !parts->group;
	for (size_t i = 0; parts->group && i < groups->count; i++) {
		const struct fathom_user_group *from = &groups->group[i];

		parts->group[i] = (struct scope_group){
			.name = from->name,
			.member = from->member, .member_count = from->member_count,
			.user_shares = from->assignment_count
				? scope_assignments_text(from->assignment, from->assignment_count)
				: NULL,
		};
	}
}

static void add_scope(struct figures_parts *parts, size_t scheme_index)
{
	const struct settings *settings = parts->copy->settings;
	const struct scheme *scheme = &settings->scheme[scheme_index];
	size_t first = parts->partition_count;
	bool has_groups = scheme->user_shares && parts->group;

	for (size_t i = 0; i < settings->queue_count; i++)
		if (settings->queue[i].scheme == scheme_index)
			parts->partition[parts->partition_count++] = settings->queue[i].name;
	parts->scope[parts->scope_count++] = (struct json_scope){
		.head = {
			.name = scopes_name(settings, scheme_index),
			.partition = parts->partition + first,
			.partition_count = parts->partition_count - first,
			.text = {
				[SCOPE_KIND] = scheme->kind,
				[SCOPE_HOSTS] = scheme->hosts,
				[SCOPE_MASTER_QUEUE] = scheme->master_queue,
				[SCOPE_DISPATCH_ORDER] = dispatch_order(scheme),
				[SCOPE_USER_SHARES] = scheme->user_shares,
			},
			.group = has_groups ? parts->group : NULL,
			.group_count = has_groups ? settings->user_groups.count : 0,
		},
		.shares = shares_of(parts, scheme_index),
	};
}

static void add_scheme(struct figures_parts *parts, size_t scheme)
{
	enum scheme_role role = parts->copy->settings->scheme[scheme].role;

	if (role == SCHEME_SCOPE) {
		add_scope(parts, scheme);
	} else if (role == SCHEME_SHADOW) {
		parts->shadow = shares_of(parts, scheme);
		parts->has_shadow = true;
	} else {
		parts->in_force = shares_of(parts, scheme);
	}
}

static void free_own_nodes(struct figures_parts *parts)
{
	for (size_t i = 0; parts->own_order && i < parts->copy->settings->scheme_count; i++) {
		if (!parts->own_order[i])
			continue;
		free(parts->own_order[i]);
		parts->snapshot[i].tree = NULL;	/* the evaluation's */
		snapshot_clear(&parts->snapshot[i]);
	}
	free(parts->own_order);
	for (size_t i = 0; parts->group && i < parts->copy->settings->user_groups.count; i++)
		free((char *)parts->group[i].user_shares);
	free(parts->group);
}

/* -1: errno says why. */
static int put_json(FILE *out, const struct figures_copy *copy)
{
	const struct settings *settings = copy->settings;
	size_t count = fathom_tree_count(copy->names.tree);
	struct figures_parts parts = {
		.copy = copy,
		.order = calloc(2 * count, sizeof(*parts.order)),	/* and the depth of each */
		.snapshot = calloc(settings->scheme_count, sizeof(*parts.snapshot)),
		.scope = calloc(settings->scheme_count, sizeof(*parts.scope)),
		.partition = calloc(settings->queue_count + 1, sizeof(*parts.partition)),
		.own_order = calloc(settings->scheme_count, sizeof(*parts.own_order)),
	};
	int status = -1;

	if (parts.order && parts.snapshot && parts.scope && parts.partition && parts.own_order &&
	    !snapshot_depth_first(&copy->names, parts.order, parts.order + count, NULL)) {
		list_groups(&parts);
		for (size_t i = 0; i < settings->scheme_count; i++)
			add_scheme(&parts, i);
		json_put_figures(out, &(struct json_figures){
			.time = evaluation_time(copy->evaluation), .cluster = settings->cluster,
			.fault = settings->fault,
			.shares = &parts.in_force,
			.shadow = parts.has_shadow ? &parts.shadow : NULL,
			.scope = parts.scope, .scope_count = parts.scope_count,
			.pool = copy->pools ? copy->pools->list : NULL,
			.pool_count = copy->pools ? copy->pools->count : 0 });
		status = parts.failed ? -1 : 0;
	}
	free_own_nodes(&parts);
	free(parts.order);
	free(parts.snapshot);
	free(parts.scope);
	free(parts.partition);
	return status;
}

/* The text is made in memory, not written to the file's own stream: exit() flushes all streams, and
 * would hang with a disk that hangs. */
static char *make_text(const struct figures_copy *copy, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	int status;

	if (!out)
		return NULL;
	status = put_json(out, copy);
	if (ferror(out))
		status = -1;
	if (!fclose(out) && !status)
		return text;
	free(text);
	return NULL;
}

/* Another plugin may have set a locale with a decimal comma; JSON needs a point. */
char *figures_copy_text(const struct figures_copy *copy, size_t *size)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before;
	char *text;

	if (!c)
		return NULL;
	before = uselocale(c);
	text = make_text(copy, size);
	uselocale(before);
	freelocale(c);
	return text;
}
