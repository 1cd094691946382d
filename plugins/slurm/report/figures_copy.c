/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/figures_copy.h"

#include "json/figures.h"
#include "results/scope_tree.h"
#include "records/association_names.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool figures_copy_make(struct figures_copy *copy, struct results *results,
		       const struct settings *settings)
{
	struct evaluation *evaluation = published_get(&results->evaluation);

	*copy = (struct figures_copy){ evaluation, { NULL } };
	if (evaluation && evaluation->settings == settings) {
		copy->names.has_time = true;
		copy->names.time = evaluation->time;
		copy->names.tree = evaluation->scheme[0].tree;
		if (association_names_read(&copy->names, evaluation->map,
					   fathom_tree_count(copy->names.tree)))
			return true;
	}
	figures_copy_clear(copy);
	return false;
}

void figures_copy_clear(struct figures_copy *copy)
{
	copy->names.tree = NULL;
	snapshot_clear(&copy->names);
	shared_release(copy->evaluation);
	*copy = (struct figures_copy){ NULL };
}

/* ---- JSON ----------------------------------------------------------------------- */

/* struct json_figures while it is put together. */
struct figures_draft {
	const struct figures_copy *copy;
	const struct settings *settings;
	struct snapshot *snapshot;	/* by scheme: its tree with the names of the nodes */
	struct json_scope *scope;	/* by scheme: `head` only of scopes */
	const char **partition;		/* of all scopes, one scope after the other */
	size_t partition_count;
	struct scope_group *group;	/* those of fathom.conf, used or not */
};

/* A scope with UserShares has other nodes than the associations. -1: out of memory. */
static int set_shares(struct figures_draft *draft, size_t i)
{
	const struct evaluation *evaluation = draft->copy->evaluation;
	const struct scope_tree *own = evaluation->scheme[i].own;
	const struct scheme *scheme = &draft->settings->scheme[i];
	struct snapshot *snapshot = &draft->snapshot[i];
	struct fathom_tree *tree = evaluation->scheme[i].tree;
	size_t count = fathom_tree_count(tree), *order = calloc(count, sizeof(*order));

	draft->scope[i].shares = (struct json_shares){
		.policy = scheme->policy, .settings = &scheme->settings, .snapshot = snapshot,
		.columns = json_columns_of(scheme->policy, evaluation->scheme[i].result),
		.with_inputs = true, .order = order, .count = count,
	};
	if (!own)
		*snapshot = draft->copy->names;
	else if (scope_tree_snapshot(own, snapshot))
		return -1;
	snapshot->tree = tree;
	snapshot->has_time = true;
	snapshot->time = evaluation->time;
	return order ? snapshot_depth_first(snapshot, order, NULL, NULL) : -1;
}

static void set_head(struct figures_draft *draft, size_t i)
{
	const struct settings *settings = draft->settings;
	const struct conf_scope *scope = settings->scheme[i].scope;
	struct scope_head *head = &draft->scope[i].head;
	const char **partition = draft->partition + draft->partition_count;

	*head = (struct scope_head){
		.name = scope->name, .partition = partition,
		.text = {
			[SCOPE_KIND] = conf_scope_kinds[scope->kind],
			[SCOPE_HOSTS] = scope->hosts.text,
			[SCOPE_MASTER_QUEUE] = scope->master_queue,
			[SCOPE_DISPATCH_ORDER] = scope->kind != CONF_CROSS_QUEUE ? NULL :
						 scope->queue_first ? "queue" : "user",
			[SCOPE_USER_SHARES] = scope->user_shares,
		},
		.group = draft->group,
		.group_count = scope->user_shares ? settings->conf.user_groups.count : 0,
	};
	for (size_t queue = 0; queue < settings->queue_count; queue++)
		if (settings->queue[queue].scheme == i)
			partition[head->partition_count++] = settings->queue[queue].name;
	draft->partition_count += head->partition_count;
}

/* -1: out of memory. */
static int fill(struct figures_draft *draft)
{
	if (!draft->snapshot || !draft->scope || !draft->partition || !draft->group)
		return -1;
	for (size_t i = 0; i < draft->settings->scheme_count; i++) {
		if (set_shares(draft, i))
			return -1;
		if (draft->settings->scheme[i].role == SCHEME_SCOPE)
			set_head(draft, i);
	}
	return 0;
}

static void put_draft(FILE *out, const struct figures_draft *draft)
{
	const struct settings *settings = draft->settings;
	const struct partition_order *order =
		evaluation_order(draft->copy->evaluation, draft->settings);
	bool has_shadow = settings->scheme_count > 1 && settings->scheme[1].role == SCHEME_SHADOW;
	size_t first_scope = has_shadow ? 2 : 1;

	json_put_figures(out, &(struct json_figures){
		.time = draft->copy->evaluation->time,
		.cluster = settings->cluster, .fault = settings->fault,
		.shares = &draft->scope[0].shares,
		.shadow = has_shadow ? &draft->scope[1].shares : NULL,
		.scope = draft->scope + first_scope,
		.scope_count = settings->scheme_count - first_scope,
		.pool = order ? order->pool : NULL,
		.pool_count = order ? draft->settings->pool_count : 0 });
}

static void clear(struct figures_draft *draft)
{
	const struct settings *settings = draft->settings;

	for (size_t i = 0; draft->scope && i < settings->scheme_count; i++)
		free((size_t *)draft->scope[i].shares.order);
	for (size_t i = 0; draft->snapshot && i < settings->scheme_count; i++) {
		draft->snapshot[i].tree = NULL;		/* the evaluation's */
		if (draft->copy->evaluation->scheme[i].own)
			snapshot_clear(&draft->snapshot[i]);
	}
	scope_groups_destroy(draft->group, settings->conf.user_groups.count);
	free(draft->snapshot);
	free(draft->scope);
	free(draft->partition);
}

/* -1: out of memory. */
static int put_json(FILE *out, const struct figures_copy *copy)
{
	const struct settings *settings = copy->evaluation->settings;
	const struct conf_user_groups *groups = &settings->conf.user_groups;
	struct figures_draft draft = {
		.copy = copy, .settings = settings,
		.snapshot = calloc(settings->scheme_count, sizeof(*draft.snapshot)),
		.scope = calloc(settings->scheme_count, sizeof(*draft.scope)),
		.partition = calloc(settings->queue_count + 1, sizeof(*draft.partition)),
		.group = scope_groups_create(groups->group, groups->count),
	};
	int status = fill(&draft);

	if (!status)
		put_draft(out, &draft);
	clear(&draft);
	return status || ferror(out) ? -1 : 0;
}

/* The text is made in memory, not written to the file's own stream: exit() flushes all streams, and
 * would hang with a disk that hangs. Another plugin may have set a locale with a decimal comma;
 * JSON needs a point. */
char *figures_copy_text(const struct figures_copy *copy, size_t *size)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before;
	char *text = NULL;
	FILE *out = c ? open_memstream(&text, size) : NULL;
	int status = -1;

	if (out) {
		before = uselocale(c);
		status = put_json(out, copy);
		status |= fclose(out);
		uselocale(before);
	}
	if (c)
		freelocale(c);
	if (!status)
		return text;
	free(text);
	return NULL;
}
