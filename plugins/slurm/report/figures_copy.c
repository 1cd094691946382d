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

/* -1: out of memory. */
static int put_scope(FILE *out, const struct settings *settings, size_t i,
		     const struct json_shares *shares)
{
	const struct conf_scope *scope = settings->scheme[i].scope;
	const struct conf_user_groups *groups = &settings->conf.user_groups;
	size_t group_count = scope->user_shares ? groups->count : 0;
	struct scope_group *group = scope_groups_create(groups->group, group_count);
	const char **partition = calloc(settings->queue_count + 1, sizeof(*partition));
	struct scope_head head = {
		.name = scope->name, .partition = partition,
		.text = {
			[SCOPE_KIND] = conf_scope_kinds[scope->kind],
			[SCOPE_HOSTS] = scope->hosts.text,
			[SCOPE_MASTER_QUEUE] = scope->master_queue,
			[SCOPE_DISPATCH_ORDER] = scope->kind != CONF_CROSS_QUEUE ? NULL :
						 scope->queue_first ? "queue" : "user",
			[SCOPE_USER_SHARES] = scope->user_shares,
		},
		.group = group, .group_count = group_count,
	};

	for (size_t queue = 0; partition && queue < settings->queue_count; queue++)
		if (settings->queue[queue].scheme == i)
			partition[head.partition_count++] = settings->queue[queue].name;
	if (partition && group)
		json_put_scope(out, &head, shares);
	free(partition);
	scope_groups_destroy(group, group_count);
	return partition && group ? 0 : -1;
}

/* A scope with UserShares has other nodes than the associations. -1: out of memory. */
static int put_scheme(FILE *out, size_t i, const void *context)
{
	const struct figures_copy *copy = context;
	const struct settings *settings = copy->evaluation->settings;
	const struct scheme *scheme = &settings->scheme[i];
	const struct scheme_results *results = &copy->evaluation->scheme[i];
	size_t count = fathom_tree_count(results->tree), *order = calloc(count, sizeof(*order));
	struct snapshot own = { NULL }, snapshot = copy->names;
	const struct json_shares shares = {
		.policy = scheme->policy, .settings = &scheme->settings, .snapshot = &snapshot,
		.columns = json_columns_of(scheme->policy, results->result),
		.with_inputs = true, .order = order, .count = count,
	};
	int status = order && (!results->own || !scope_tree_snapshot(results->own, &own)) ? 0 : -1;

	if (results->own)
		snapshot = own;
	snapshot.tree = results->tree;
	snapshot.has_time = true;
	snapshot.time = copy->evaluation->time;
	if (!status)
		status = snapshot_depth_first(&snapshot, order, NULL, NULL);
	if (!status && scheme->role == SCHEME_SCOPE)
		status = put_scope(out, settings, i, &shares);
	else if (!status)
		json_put_shares(out, &shares);
	snapshot_clear(&own);
	free(order);
	return status;
}

/* -1: out of memory. */
static int put_json(FILE *out, const struct figures_copy *copy)
{
	const struct settings *settings = copy->evaluation->settings;
	const struct partition_order *order = evaluation_order(copy->evaluation, settings);
	bool has_shadow = settings->scheme_count > 1 && settings->scheme[1].role == SCHEME_SHADOW;
	int status = json_put_figures(out, &(struct json_figures){
		.time = copy->evaluation->time, .cluster = settings->cluster,
		.fault = settings->fault, .policy = settings->scheme->policy,
		.has_shadow = has_shadow, .scope_count = settings->scheme_count - 1 - has_shadow,
		.put_tree = put_scheme, .context = copy,
		.pool = order ? order->pool : NULL,
		.pool_count = order ? settings->pool_count : 0 });

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
