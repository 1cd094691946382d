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

/* struct json_figures while it is put together. */
struct figures_draft {
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
static void use_own_nodes(struct figures_draft *draft, size_t scheme_index,
			  struct json_shares *shares)
{
	const struct scope_tree *own = evaluation_scope_tree(draft->copy->evaluation,
							     scheme_index);
	struct snapshot *snapshot = &draft->snapshot[scheme_index];
	size_t *order = calloc(2 * shares->count, sizeof(*order));	/* and the depth of each */

	*snapshot = (struct snapshot){ .tree = snapshot->tree, .has_time = snapshot->has_time,
				       .time = snapshot->time };
	draft->own_order[scheme_index] = order;
	if (!order || scope_tree_snapshot(own, snapshot) ||
	    snapshot_depth_first(snapshot, order, order + shares->count, NULL)) {
		draft->failed = true;
		shares->count = 0;
	}
	shares->order = order;
}

static struct json_shares shares_of(struct figures_draft *draft, size_t scheme_index)
{
	const struct evaluation *evaluation = draft->copy->evaluation;
	const struct scheme *scheme = &draft->copy->settings->scheme[scheme_index];
	struct snapshot *snapshot = &draft->snapshot[scheme_index];
	struct json_shares shares;

	*snapshot = draft->copy->names;
	snapshot->tree = evaluation_tree(evaluation, scheme_index);
	shares = (struct json_shares){
		.policy = scheme->policy, .settings = &scheme->settings,
		.snapshot = snapshot,
		.columns = json_columns_of(scheme->policy,
					   evaluation_result(evaluation, scheme_index)),
		.with_inputs = true,
		.order = draft->order, .count = fathom_tree_count(snapshot->tree),
	};
	if (evaluation_scope_tree(evaluation, scheme_index))
		use_own_nodes(draft, scheme_index, &shares);
	return shares;
}

static const char *dispatch_order(const struct scheme *scheme)
{
	if (!scheme->is_set)
		return NULL;
	return scheme->queue_first ? "queue" : "user";
}

/* Lists the groups of fathom.conf, used or not. */
static void list_groups(struct figures_draft *draft)
{
	const struct conf_user_groups *groups = &draft->copy->settings->user_groups;

	draft->group = calloc(groups->count + 1, sizeof(*draft->group));
	draft->failed |= !draft->group;
	for (size_t i = 0; draft->group && i < groups->count; i++) {
		const struct fathom_user_group *from = &groups->group[i];

		draft->group[i] = (struct scope_group){
			.name = from->name,
			.member = from->member, .member_count = from->member_count,
			.user_shares = from->assignment_count
				? scope_assignments_text(from->assignment, from->assignment_count)
				: NULL,
		};
	}
}

static void add_scope(struct figures_draft *draft, size_t scheme_index)
{
	const struct settings *settings = draft->copy->settings;
	const struct scheme *scheme = &settings->scheme[scheme_index];
	size_t first = draft->partition_count;
	bool has_groups = scheme->user_shares && draft->group;

	for (size_t i = 0; i < settings->queue_count; i++)
		if (settings->queue[i].scheme == scheme_index)
			draft->partition[draft->partition_count++] = settings->queue[i].name;
	draft->scope[draft->scope_count++] = (struct json_scope){
		.head = {
			.name = scopes_name(settings, scheme_index),
			.partition = draft->partition + first,
			.partition_count = draft->partition_count - first,
			.text = {
				[SCOPE_KIND] = scheme->kind,
				[SCOPE_HOSTS] = scheme->hosts,
				[SCOPE_MASTER_QUEUE] = scheme->master_queue,
				[SCOPE_DISPATCH_ORDER] = dispatch_order(scheme),
				[SCOPE_USER_SHARES] = scheme->user_shares,
			},
			.group = has_groups ? draft->group : NULL,
			.group_count = has_groups ? settings->user_groups.count : 0,
		},
		.shares = shares_of(draft, scheme_index),
	};
}

static void add_scheme(struct figures_draft *draft, size_t scheme)
{
	enum scheme_role role = draft->copy->settings->scheme[scheme].role;

	if (role == SCHEME_SCOPE) {
		add_scope(draft, scheme);
	} else if (role == SCHEME_SHADOW) {
		draft->shadow = shares_of(draft, scheme);
		draft->has_shadow = true;
	} else {
		draft->in_force = shares_of(draft, scheme);
	}
}

static void free_own_nodes(struct figures_draft *draft)
{
	for (size_t i = 0; draft->own_order && i < draft->copy->settings->scheme_count; i++) {
		if (!draft->own_order[i])
			continue;
		free(draft->own_order[i]);
		draft->snapshot[i].tree = NULL;	/* the evaluation's */
		snapshot_clear(&draft->snapshot[i]);
	}
	free(draft->own_order);
	for (size_t i = 0; draft->group && i < draft->copy->settings->user_groups.count; i++)
		free((char *)draft->group[i].user_shares);
	free(draft->group);
}

/* -1: errno says why. */
static int put_json(FILE *out, const struct figures_copy *copy)
{
	const struct settings *settings = copy->settings;
	size_t count = fathom_tree_count(copy->names.tree);
	struct figures_draft draft = {
		.copy = copy,
		.order = calloc(2 * count, sizeof(*draft.order)),	/* and the depth of each */
		.snapshot = calloc(settings->scheme_count, sizeof(*draft.snapshot)),
		.scope = calloc(settings->scheme_count, sizeof(*draft.scope)),
		.partition = calloc(settings->queue_count + 1, sizeof(*draft.partition)),
		.own_order = calloc(settings->scheme_count, sizeof(*draft.own_order)),
	};
	int status = -1;

	if (draft.order && draft.snapshot && draft.scope && draft.partition && draft.own_order &&
	    !snapshot_depth_first(&copy->names, draft.order, draft.order + count, NULL)) {
		list_groups(&draft);
		for (size_t i = 0; i < settings->scheme_count; i++)
			add_scheme(&draft, i);
		json_put_figures(out, &(struct json_figures){
			.time = evaluation_time(copy->evaluation), .cluster = settings->cluster,
			.fault = settings->fault,
			.shares = &draft.in_force,
			.shadow = draft.has_shadow ? &draft.shadow : NULL,
			.scope = draft.scope, .scope_count = draft.scope_count,
			.pool = copy->pools ? copy->pools->list : NULL,
			.pool_count = copy->pools ? copy->pools->count : 0 });
		status = draft.failed ? -1 : 0;
	}
	free_own_nodes(&draft);
	free(draft.order);
	free(draft.snapshot);
	free(draft.scope);
	free(draft.partition);
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
