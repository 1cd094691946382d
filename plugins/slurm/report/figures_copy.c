/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/figures_copy.h"

#include "core/array.h"
#include "json/figures.h"
#include "walk/sliced_walk.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct figures_copy {
	struct settings *settings;
	struct evaluation *evaluation;
	struct snapshot names;		/* its tree belongs to the evaluation */
};

/* ---- names ---------------------------------------------------------------------- */

/* Names that are being copied from the records. */
struct name_copy {
	const struct fathom_node_index *nodes;	/* of the evaluation, by association id */
	struct snapshot *names;
	size_t length, room;	/* of names->text, bytes */
	size_t found;		/* nodes whose name has been copied */
	bool failed;		/* out of memory */
};

/* Returns the place of the text in names->text. */
static size_t add_text(struct name_copy *copy, const char *text)
{
	size_t size = strlen(text) + 1, place = copy->length;
	char *grown = array_grow(copy->names->text, &copy->room, place + size, 1);

	if (!grown) {
		copy->failed = true;
		return SNAPSHOT_NO_TEXT;
	}
	copy->names->text = grown;
	memcpy(grown + place, text, size);
	copy->length += size;
	return place;
}

/* Leaves out a record that the walk has met before, or that is newer than the evaluation. */
static void copy_names(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	const char *name = record->user ? record->user : record->acct;
	struct name_copy *copy = context;
	struct snapshot *names = copy->names;
	uint32_t node;

	(void)at;
	if (copy->failed || !name || !fathom_node_index_find(copy->nodes, record->id, &node) ||
	    names->name[node] != SNAPSHOT_NO_TEXT)
		return;
	names->name[node] = add_text(copy, name);
	if (record->partition && *record->partition)
		names->partition[node] = add_text(copy, record->partition);
	names->listed[copy->found++] = node;
}

static size_t *create_offsets(size_t count)
{
	size_t *offset = malloc(count * sizeof(*offset));

	for (size_t i = 0; offset && i < count; i++)
		offset[i] = SNAPSHOT_NO_TEXT;
	return offset;
}

/* False: out of memory, or an association of the evaluation is gone. Then the next pass reads all
 * associations anew. */
static bool read_names(struct snapshot *names, const struct evaluation *evaluation)
{
	static const assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	static const struct sliced_walk walk = { .list = &assoc_mgr_assoc_list,
						 .assoc_locks = &locks };
	size_t count = fathom_tree_count(names->tree);
	struct name_copy copy = { .nodes = evaluation_map(evaluation), .names = names };

	names->name = create_offsets(count);
	names->partition = create_offsets(count);
	names->listed = malloc(count * sizeof(*names->listed));	/* in slurmctld's order */
	if (!names->name || !names->partition || !names->listed)
		return false;
	sliced_walk(&walk, (struct list_walk_stages){ .work = copy_names }, &copy);
	return !copy.failed && copy.found == count;
}

struct figures_copy *figures_copy_create(struct fairshare *fairshare,
					 const struct settings *settings)
{
	struct figures_copy *copy = calloc(1, sizeof(*copy));

	if (!copy)
		return NULL;
	copy->settings = settings_reference(settings);
	copy->evaluation = fairshare_evaluation(fairshare);
	if (copy->evaluation && evaluation_settings(copy->evaluation) == settings) {
		copy->names.has_time = true;
		copy->names.time = evaluation_time(copy->evaluation);
		copy->names.tree = evaluation_tree(copy->evaluation, 0);
		if (read_names(&copy->names, copy->evaluation))
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
	settings_release(copy->settings);
	free(copy);
}

/* ---- JSON ----------------------------------------------------------------------- */

/* The parts of struct json_figures while they are put together. */
struct figures_parts {
	const struct figures_copy *copy;
	size_t *order;			/* nodes, depth first */
	struct snapshot *snapshot;	/* by scheme: the same names, each with its own tree */
	struct json_shares in_force, shadow;
	bool has_shadow;
	struct json_scope *scope;
	size_t scope_count;
	const char **partition;		/* of all scopes, one scope after the other */
	size_t partition_count;
};

static struct json_shares shares_of(const struct figures_parts *parts, size_t scheme_index)
{
	const struct evaluation *evaluation = parts->copy->evaluation;
	const struct scheme *scheme = &parts->copy->settings->scheme[scheme_index];
	struct snapshot *snapshot = &parts->snapshot[scheme_index];

	*snapshot = parts->copy->names;
	snapshot->tree = evaluation_tree(evaluation, scheme_index);
	return (struct json_shares){
		.policy = scheme->policy, .settings = &scheme->settings,
		.snapshot = snapshot,
		.columns = json_columns_of(scheme->policy,
					   evaluation_result(evaluation, scheme_index)),
		.with_inputs = true,
		.order = parts->order, .count = fathom_tree_count(snapshot->tree),
	};
}

static void add_scope(struct figures_parts *parts, size_t scheme)
{
	const struct settings *settings = parts->copy->settings;
	size_t first = parts->partition_count;

	for (size_t i = 0; i < settings->queue_count; i++)
		if (settings->queue[i].scheme == scheme)
			parts->partition[parts->partition_count++] = settings->queue[i].name;
	parts->scope[parts->scope_count++] = (struct json_scope){
		.name = scopes_name(settings, scheme),
		.partition = parts->partition + first,
		.partition_count = parts->partition_count - first,
		.shares = shares_of(parts, scheme),
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
	};
	int status = -1;

	if (parts.order && parts.snapshot && parts.scope && parts.partition &&
	    !snapshot_depth_first(&copy->names, parts.order, parts.order + count, NULL)) {
		for (size_t i = 0; i < settings->scheme_count; i++)
			add_scheme(&parts, i);
		json_put_figures(out, &(struct json_figures){
			.time = evaluation_time(copy->evaluation), .cluster = settings->cluster,
			.shares = &parts.in_force,
			.shadow = parts.has_shadow ? &parts.shadow : NULL,
			.scope = parts.scope, .scope_count = parts.scope_count });
		status = 0;
	}
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
