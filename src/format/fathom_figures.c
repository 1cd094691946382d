/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a FiguresFile, which the plugin writes:
 *
 *	{"format": "fathom-figures", "version": 1, "time": 1700000000,
 *	 "global": [{"cluster": ...}],
 *	 "shares": {"policy": ..., "settings": {...}, "associations": [...]},
 *	 "shadow": {...}, "scopes": [{"name": ..., "shares": {...}}]}
 *
 * and the output of fathom shares --json, which is an object like "shares" with a head. Output for
 * several policies has such objects in a list "policies", of which the first is read:
 *
 *	{"format": "fathom-shares", "version": 1, "policy": ..., "settings": {...},
 *	 "time": 1700000000, "associations": [...]}
 *
 * Unknown members are ignored, as later releases may write more.
 */
#include "document/json_reader.h"
#include "format/format.h"
#include "format/recorded.h"
#include "format/snapshot_parts.h"
#include "format/tree_builder.h"
#include "json/figures.h"
#include "memory/need_memory.h"
#include "policy/traits.h"

#include <math.h>
#include <string.h>

/* The keys of the figures that all policies have. */
static const char *const common_names[RECORDED_OWN] = {
	[RECORDED_USAGE] = "raw_usage",
	[RECORDED_NORM_SHARES] = "norm_shares",
	[RECORDED_NORM_USAGE] = "norm_usage",
	[RECORDED_EFFECTIVE_USAGE] = "effective_usage",
	[RECORDED_FACTOR] = "factor",
};

/* One evaluated tree of the file, while it is read: that of "shares", of "shadow" or of a scope. */
struct figures_tree {
	struct recorded recorded;
	struct tree_builder builder;
	/* for each association width_of() figures: the common ones; the policy's columns; NAN up to
	 * RECORDED_MOST; if usage of other clusters counts, its usage here and in each of them */
	double *value;
	size_t room;		/* of `value` */
	struct json_global_cluster *cluster;	/* others whose usage counts */
	size_t cluster_count;
	const double **global;	/* the last figures by node, once the tree is finished */
	bool is_selection;	/* some associations are left out, as with -u */
	bool has_time, has_half_life;	/* of fathom-shares */
	int64_t time;		/* seconds since 1970 */
	double half_life;	/* seconds */
};

/* A scope while it is read. */
struct scope_figures {
	struct scope_head head;
	struct figures_tree tree;
};

/* A FiguresFile while it is read. */
struct figures_reader {
	struct figures_tree in_force;	/* the first member, see GLOBAL */
	struct figures_tree shadow;
	uint64_t time;		/* seconds since 1970 */
	const char *cluster, *fault;	/* or NULL */
	struct scope_figures *scope;
	size_t scope_count;
};

/* ---- an association ---------------------------------------------------------------- */

/* Returns the number of a key that must not be missing; it may be "inf", or null, which is NAN. */
static double read_number(struct json_reader *json, const struct parsed *object, const char *key)
{
	const struct parsed *value = parsed_member(object, key);

	if (!value)
		json_wrong_key(json, key, "is missing");
	return json_figure(json, value, key);
}

/* Reads the figures of an association into figure[RECORDED_MOST]; those that the policy lacks
 * become NAN. Only optional columns of the policy may be missing. */
static void read_figures(struct json_reader *json, const struct parsed *object,
			 const struct fathom_policy *policy, double *figure)
{
	for (size_t i = 0; i < RECORDED_OWN; i++)
		figure[i] = read_number(json, object, common_names[i]);
	for (size_t i = RECORDED_OWN; i < RECORDED_MOST; i++)
		figure[i] = NAN;
	for (size_t i = 0; i < fathom_policy_column_count(policy); i++) {
		const char *name = fathom_policy_column(policy, i)->name;

		if (policy_column_role(policy, i) != COLUMN_OPTIONAL ||
		    parsed_member(object, name))
			figure[RECORDED_OWN + i] = read_number(json, object, name);
	}
}

/* Returns the text of a key that must not be missing or empty. */
static struct piece read_text(struct json_reader *json, const struct parsed *object,
			      const char *key)
{
	const struct parsed *value = parsed_member(object, key);

	if (!parsed_length(value))
		json_wrong_key(json, key, "must be a string with at least one character");
	return (struct piece){ parsed_text(value), parsed_length(value) };
}

/* Reads the ids of an association and of its parent into the row. */
static void read_ids(struct json_reader *json, const struct parsed *object, struct fathom_row *row)
{
	const struct parsed *id = parsed_member(object, "id");
	const struct parsed *parent = parsed_member(object, "parent_id");

	if (!parsed_is(id, PARSED_INTEGER))
		json_wrong_key(json, "id", "must be an integer");
	if (!parsed_is(parent, PARSED_INTEGER) && !parsed_is(parent, PARSED_NULL))
		json_wrong_key(json, "parent_id", "must be an integer, or null for the root");
	row->id = parsed_integer(id);
	row->parent_id = parsed_integer(parent);
	row->is_root = parsed_is(parent, PARSED_NULL);
}

/* Reads own usage from own_usage, or from raw_usage: own_usage is left out if both are equal. */
static double read_own_usage(struct json_reader *json, const struct parsed *object)
{
	const char *key = parsed_member(object, "own_usage") ? "own_usage" : "raw_usage";
	double usage = read_number(json, object, key);

	if (!(usage >= 0))
		json_wrong_key(json, key, "must be 0 or more");
	return usage;
}

/* Sets the resources that an association has, on the row that was added last. */
static void read_resources(struct json_reader *json, const struct parsed *object,
			   struct tree_builder *builder)
{
	for (size_t i = 0; i < fathom_resource_count(); i++) {
		const char *key = fathom_resource_name((enum fathom_resource)i);
		const struct parsed *value = parsed_member(object, key);

		if (value)
			tree_builder_set_resource(builder, (enum fathom_resource)i,
						  json_figure(json, value, key));
	}
}

/* Returns the number of figures of an association. */
static size_t width_of(const struct figures_tree *tree)
{
	return RECORDED_MOST + (tree->cluster_count ? 1 + tree->cluster_count : 0);
}

/* Returns room for the figures of the next row, valid until the next call. */
static double *add_figures(struct figures_tree *tree)
{
	size_t width = width_of(tree), first = tree->builder.count * width;

	tree->value = need_room(tree->value, &tree->room, first + width, sizeof(*tree->value));
	return tree->value + first;
}

/* Returns the member of an object with a key; NULL: it lacks the key. index: that of the member
 * in most objects, where it is looked for first. */
static const struct parsed *find_member(const struct parsed *object, size_t index, const char *key)
{
	const struct parsed *likely = parsed_member_at(object, index);

	return likely && !strcmp(likely->key, key) ? likely : parsed_member(object, key);
}

/* Reads the usage of an association here and in other clusters, one figure for each. A cluster that
 * "global_usage" leaves out has 0; without "global_usage", all figures are NAN. */
static void read_global_usage(struct json_reader *json, const struct parsed *object,
			      const struct figures_tree *tree, double *figure)
{
	const struct parsed *by_cluster = parsed_member(object, "global_usage");
	double missing = by_cluster ? 0 : NAN;

	*figure++ = by_cluster ? read_number(json, object, "usage_here") : NAN;
	for (size_t i = 0; i < tree->cluster_count; i++) {
		const char *cluster = tree->cluster[i].cluster;
		const struct parsed *value = find_member(by_cluster, i, cluster);

		*figure++ = value ? json_figure(json, value, cluster) : missing;
	}
}

/* Adds a row, its figures and its resources to the struct figures_tree `into`. */
static void add_association(struct json_reader *json, const struct parsed *object, void *into)
{
	struct figures_tree *tree = into;
	bool is_user = !parsed_is(parsed_member(object, "user"), PARSED_NULL);
	struct fathom_row row = { .kind = is_user ? FATHOM_USER : FATHOM_ACCOUNT };
	struct piece name, partition = { 0 };
	double *figure = add_figures(tree);

	if (!tree->recorded.policy)
		json_wrong_member(json, "comes before \"policy\", must come after it");
	read_ids(json, object, &row);
	row.raw_shares = json_read_shares(json, parsed_member(object, "raw_shares"), "raw_shares");
	read_figures(json, object, tree->recorded.policy, figure);
	if (tree->cluster_count)
		read_global_usage(json, object, tree, figure + RECORDED_MOST);
	row.usage = read_own_usage(json, object);
	name = read_text(json, object, is_user ? "user" : "account");
	if (parsed_member(object, "partition"))
		partition = read_text(json, object, "partition");
	tree_builder_add(&tree->builder, json->input, json->part_line, &row, name, partition);
	read_resources(json, object, &tree->builder);
}

/* ---- other clusters --------------------------------------------------------------------- */

#define TEXT(object, member) .at = offsetof(object, member), .or_null = true, .type = JSON_COPY
#define CLUSTER(member) .or_null = true, .at = offsetof(struct json_global_cluster, member)

/* Reads the time of a cluster's usage. */
static void read_time_of_cluster(struct json_reader *json, const struct json_key *key,
				 const struct parsed *value, void *into)
{
	struct json_global_cluster *cluster = into;

	(void)key;
	json_read_time(json, value, &cluster->is_known, &cluster->time);
}

static const struct json_key cluster_keys[] = {
	{ "source", TEXT(struct json_global_cluster, source) },
	{ "weight", CLUSTER(weight), .high = INFINITY, .right = "must be 0 or more" },
	{ "time", .or_null = true, .read = read_time_of_cluster },
	{ "stale", CLUSTER(is_stale), .type = JSON_BOOL },
	{ "unmapped_usage", CLUSTER(unmapped), .high = INFINITY, .right = "must be 0 or more" },
	{ "fault", TEXT(struct json_global_cluster, fault) },
	JSON_END
};

/* Adds a cluster to the struct figures_tree `into`. */
static void add_cluster(struct json_reader *json, const struct parsed *object, void *into)
{
	struct json_global_cluster cluster = { 0 };
	struct figures_tree *tree = into;

	/* add_association() must know the number of clusters */
	if (tree->builder.count)
		json_wrong_member(json, "comes after the associations, must come before them");
	cluster.cluster = need_copy(read_text(json, object, "cluster"));
	for (const struct json_key *key = cluster_keys; key->name; key++)
		if (parsed_member(object, key->name))
			json_read_value(json, key, parsed_member(object, key->name), &cluster);
	NEED_ADD(tree->cluster, tree->cluster_count, cluster);
}

/* In the object around a tree, or in one whose struct begins with the tree. */
#define GLOBAL { .name = "global", .element = add_cluster, .shape = "{\"cluster\": ...}" }

/* ---- the head of an evaluation ------------------------------------------------------- */

/* Reads the policy, which must come before all that depends on it. */
static void read_policy(struct json_reader *json, const struct parsed *value, void *into)
{
	const char *name = parsed_text(value);
	struct figures_tree *tree = into;

	tree->recorded.policy = name ? fathom_policy_find(name) : NULL;
	if (!tree->recorded.policy)
		json_wrong_member(json, need_print("is %.48s, which this fathom does not know",
						   name ? name : "not a string"));
	tree->recorded.settings = fathom_settings_standard(tree->recorded.policy);
}

/* Reads a setting of the policy; or the half-life in seconds, which is no setting of a policy but
 * is written beside them. */
static void read_setting(struct json_reader *json, const char *key, const struct parsed *value,
			 struct figures_tree *tree)
{
	struct recorded *recorded = &tree->recorded;
	struct fathom_error error;
	const char *text = json_value_text(value);

	if (!strcmp(key, "half_life")) {
		if (!parsed_is_number(value) || parsed_number(value) < 0)
			json_wrong_key(json, key, "must be a number of seconds, 0 or more");
		tree->has_half_life = true;
		tree->half_life = parsed_number(value);
		return;
	}
	if (!text)
		json_wrong_key(json, key, JSON_VALUE_RIGHT);
	if (fathom_settings_set(recorded->policy, &recorded->settings, key, text, &error))
		json_wrong_key(json, key, error.text);
}

/* Reads the settings of the policy; those that the file lacks keep their defaults. */
static void read_settings(struct json_reader *json, const struct parsed *value, void *into)
{
	struct figures_tree *tree = into;
	const char *key;
	const struct parsed *setting;

	if (!tree->recorded.policy)
		json_wrong_member(json, "comes before \"policy\", must come after it");
	if (!parsed_is(value, PARSED_OBJECT))
		json_wrong_member(json, "must be an object");
	parsed_for_each_key(value, key, setting)
		read_setting(json, key, setting, tree);
}

/* Reads the time of the tree. */
static void read_time(struct json_reader *json, const struct parsed *value, void *into)
{
	struct figures_tree *tree = into;

	json_read_time(json, value, &tree->has_time, &tree->time);
}

/* Reads "whole": false if some associations are left out. */
static void read_whole(struct json_reader *json, const struct parsed *value, void *into)
{
	struct figures_tree *tree = into;

	if (!parsed_is_switch(value))
		json_wrong_member(json, "must be true or false");
	tree->is_selection = parsed_is(value, PARSED_FALSE);
}

/* An evaluated tree; its `into` is a struct figures_tree. */
static const struct json_member tree_members[] = {
	{ .name = "policy", .needed = true, .read = read_policy },
	{ .name = "settings", .needed = true, .read = read_settings },
	{ .name = "time", .read = read_time },
	{ .name = "whole", .read = read_whole },
	GLOBAL,
	{ .name = "associations", .needed = true, .element = add_association,
	  .shape = "{\"id\": ...}" },
	JSON_END
};

/* ---- a scope -------------------------------------------------------------------------- */

/* Texts are copied, as parsed ones are gone when the next value is parsed. */

/* Reads the name of a scope. */
static void read_name(struct json_reader *json, const struct parsed *value, void *into)
{
	if (!parsed_length(value))
		json_wrong_member(json, "must be a string with at least one character");
	((struct scope_figures *)into)->head.name = need_text(parsed_text(value));
}

/* Reads a list of names: appends copies of them to *name, for which *count starts as 0. */
static void read_names(struct json_reader *json, const struct parsed *value,
		       const char *const **name, size_t *count)
{
	const char **copy = need_zeros(parsed_count(value), sizeof(*copy));
	const struct parsed *item;
	size_t i;

	*name = copy;
	if (!parsed_is(value, PARSED_LIST))
		json_wrong_member(json, "must be a list of names");
	parsed_for_each(value, i, item) {
		if (!parsed_is(item, PARSED_TEXT))
			json_wrong_member(json, "must be a list of names");
		copy[(*count)++] = need_text(parsed_text(item));
	}
}

/* Reads the names of a scope's partitions. */
static void read_partitions(struct json_reader *json, const struct parsed *value, void *into)
{
	struct scope_head *head = &((struct scope_figures *)into)->head;

	read_names(json, value, &head->partition, &head->partition_count);
}

#define GROUPS_RIGHT "must be a list of {\"name\": ..., \"members\": [...], \"user_shares\": ...}"

/* Reads one element of "user_groups". */
static void read_group(struct json_reader *json, const struct parsed *object,
		       struct scope_group *group)
{
	const struct parsed *name = parsed_member(object, "name");
	const struct parsed *shares = parsed_member(object, "user_shares");

	if (!parsed_is(name, PARSED_TEXT))
		json_wrong_member(json, GROUPS_RIGHT);
	group->name = need_text(parsed_text(name));
	read_names(json, parsed_member(object, "members"), &group->member, &group->member_count);
	if (parsed_is(shares, PARSED_TEXT))
		group->user_shares = need_text(parsed_text(shares));
}

/* Reads "user_groups" of a scope. */
static void read_groups(struct json_reader *json, const struct parsed *value, void *into)
{
	struct scope_head *head = &((struct scope_figures *)into)->head;
	struct scope_group *group;
	const struct parsed *object;
	size_t i;

	if (!parsed_is(value, PARSED_LIST))
		json_wrong_member(json, GROUPS_RIGHT);
	head->group = group = need_zeros(parsed_count(value), sizeof(*group));
	parsed_for_each(value, i, object)
		read_group(json, object, &group[head->group_count++]);
}

#define SCOPE(text_name) .value = { TEXT(struct scope_figures, head.text[SCOPE_##text_name]), \
				    .right = "must be a string, or null" }

static const struct json_member scope_members[] = {
	{ .name = "name", .needed = true, .read = read_name },
	{ .name = "partitions", .read = read_partitions },
	{ .name = "kind", SCOPE(KIND) },
	{ .name = "hosts", SCOPE(HOSTS) },
	{ .name = "master_queue", SCOPE(MASTER_QUEUE) },
	{ .name = "dispatch_order", SCOPE(DISPATCH_ORDER) },
	{ .name = "user_shares", SCOPE(USER_SHARES) },
	{ .name = "user_groups", .read = read_groups },
	{ .name = "shares", .members = tree_members, .at = offsetof(struct scope_figures, tree) },
	JSON_END
};

/* ---- the document ----------------------------------------------------------------------- */

static const struct json_member members[] = {
	{ .name = "time", .needed = true,
	  .value = { .at = offsetof(struct figures_reader, time), .type = JSON_UINT64,
		     .high = INFINITY, .right = "must be an integer, in seconds since 1970" } },
	{ .name = "cluster", .value = { TEXT(struct figures_reader, cluster) } },
	{ .name = "fault", .value = { TEXT(struct figures_reader, fault) } },
	GLOBAL,
	{ .name = "shares", .needed = true, .members = tree_members,
	  .at = offsetof(struct figures_reader, in_force) },
	{ .name = "shadow", .members = tree_members,
	  .at = offsetof(struct figures_reader, shadow) },
	{ .name = "scopes", JSON_LIST(figures_reader, scope, scope_count), .members = scope_members,
	  .shape = "{\"name\": ..., \"shares\": {...}}" },
	JSON_END
};

static const struct json_document document = {
	.format = JSON_FIGURES_FORMAT,
	.version = JSON_FIGURES_VERSION,
	.shape = "\"time\": ..., \"shares\": {...}",
	.members = members,
	.page = "fathom-shares(1)",
};

/* Makes the columns of a tree from the figures of its rows, and frees these. */
static void set_figures(struct figures_tree *tree)
{
	struct recorded *recorded = &tree->recorded;
	const struct fathom_tree *nodes = recorded->snapshot.tree;
	size_t count = fathom_tree_count(nodes), width = width_of(tree);

	recorded_create_columns(recorded, count);
	tree->global = need_zeros(width - RECORDED_MOST, sizeof(*tree->global));
	for (size_t i = 0; i < width; i++) {
		double *column = i < RECORDED_MOST ? recorded_column(recorded, count, i)
						   : need_zeros(count, sizeof(*column));

		for (size_t row = 0; row < count; row++)
			column[fathom_tree_node_of_row(nodes, row)] = tree->value[row * width + i];
		if (i >= RECORDED_MOST)
			tree->global[i - RECORDED_MOST] = column;
	}
	need_free(tree->value);
}

/* Checks that a tree has the same associations as the tree of the policy in force, in the same
 * order. what: names the tree in the error. */
static void compare_trees(const struct figures_reader *reader, const struct recorded *recorded,
			  const char *what, struct document *input)
{
	const struct fathom_tree *tree = reader->in_force.recorded.snapshot.tree;
	const struct fathom_tree *other = recorded->snapshot.tree;
	size_t count = fathom_tree_count(tree);
	bool same = fathom_tree_count(other) == count;

	for (size_t node = 0; same && node < count; node++)
		same = fathom_tree_id(tree, node) == fathom_tree_id(other, node);
	if (!same)
		wrong_at(input, 0, "%s has other associations than \"shares\"", what);
}

/* Returns the usage of other clusters in a finished tree. */
static struct recorded_global global_of(const struct figures_tree *tree)
{
	size_t count = tree->cluster_count;
	const char **name = need_zeros(count, sizeof(*name));

	for (size_t i = 0; i < count; i++)
		name[i] = tree->cluster[i].cluster;
	if (!count)
		return (struct recorded_global){ NULL };
	return (struct recorded_global){ .cluster = tree->cluster,
					 .usage = { .own = tree->global[0], .cluster = name,
						    .of = tree->global + 1, .count = count } };
}

/* Builds the tree of the rows that were read, and moves their figures from rows to its nodes. Does
 * nothing if the file lacks it. is_own: it need not have the same associations as "shares", and a
 * user may have several nodes in a level. what: names the tree in an error. */
static void finish_tree(const struct figures_reader *reader, struct figures_tree *tree, bool is_own,
			const char *what, struct document *input)
{
	struct snapshot *snapshot = &tree->recorded.snapshot;

	if (!tree->recorded.policy)
		return;
	tree_builder_finish(&tree->builder, input, !is_own, snapshot);
	snapshot->has_time = true;
	snapshot->time = (int64_t)reader->time;
	set_figures(tree);
	if (!is_own)
		compare_trees(reader, &tree->recorded, what, input);
}

/* Finishes the tree of a scope. One that is made from UserShares does not have the associations. */
static void finish_scope(struct figures_reader *reader, struct scope_figures *scope,
			 struct document *input)
{
	const char *what = need_print("scope '%.100s'", scope->head.name);

	if (!scope->tree.recorded.policy)
		wrong_at(input, 0, "%s has no \"shares\"", what);
	finish_tree(reader, &scope->tree, scope->head.text[SCOPE_USER_SHARES], what, input);
}

/* Reads a FiguresFile, or a snapshot, which may lack "figures", by its table of members. */
static void read_pass(struct document *input, const struct json_document *table,
		      struct recorded_pass *pass)
{
	struct figures_reader reader = { .time = 0 };
	bool needs_shares;

	json_read_document(input, table, &reader);
	needs_shares = table == &document || reader.shadow.recorded.policy || reader.scope_count;
	if (needs_shares && !reader.in_force.recorded.policy)
		wrong_at(input, 0, "\"shares\" is null, must be an object");
	finish_tree(&reader, &reader.in_force, false, "\"shares\"", input);
	finish_tree(&reader, &reader.shadow, false, "\"shadow\"", input);
	*pass = (struct recorded_pass){
		.cluster = reader.cluster, .fault = reader.fault,
		.in_force = reader.in_force.recorded, .shadow = reader.shadow.recorded,
		.scope = need_zeros(reader.scope_count, sizeof(*pass->scope)),
		.scope_count = reader.scope_count,
	};
	if (reader.in_force.recorded.policy)
		pass->global = global_of(&reader.in_force);
	for (size_t i = 0; i < reader.scope_count; i++) {
		finish_scope(&reader, &reader.scope[i], input);
		pass->scope[i] = (struct recorded_scope){ reader.scope[i].head,
							  reader.scope[i].tree.recorded };
	}
}

static const struct json_member members_of_snapshot[] = {
	{ .name = "figures", .members = members },
	JSON_END
};

static const struct json_document document_of_snapshot = SNAPSHOT_DOCUMENT(members_of_snapshot);

void snapshot_read_figures(struct document *input, struct recorded_pass *pass)
{
	read_pass(input, &document_of_snapshot, pass);
}

/* ---- the output of fathom shares ---------------------------------------------------------- */

/* The output while it is read. */
struct printed_shares {
	/* of one policy; the first member, so that functions that read a tree take a pointer to
	 * this struct, too */
	struct figures_tree tree;
	struct figures_tree *policy_tree;	/* of several policies */
	size_t count;				/* of them; 0: one policy */
};

static const struct json_member printed_members[] = {
	{ .name = "policy", .read = read_policy },
	{ .name = "settings", .read = read_settings },
	{ .name = "time", .read = read_time },
	{ .name = "whole", .read = read_whole },
	GLOBAL,
	{ .name = "associations", .element = add_association, .shape = "{\"id\": ...}" },
	{ .name = "policies", JSON_LIST(printed_shares, policy_tree, count),
	  .members = tree_members, .shape = "{\"policy\": ...}" },
	JSON_END
};

static const struct json_document printed_document = {
	.format = JSON_SHARES_FORMAT,
	.version = JSON_SHARES_VERSION,
	.shape = "\"policy\": ..., \"settings\": {...}, \"associations\": [...]",
	.members = printed_members,
	.page = "fathom-shares(1)",
};

/* Gives the tree a resource that is printed in a column of the policy, or is the sum of two
 * columns. Does nothing if the policy has neither. second: NULL: one column. */
static void give_listed(struct recorded *recorded, enum fathom_resource resource,
			const char *column, const char *second)
{
	struct fathom_tree *tree = recorded->snapshot.tree;
	const char *const name[] = { column, second };
	size_t count = fathom_tree_count(tree);
	double *total = need_zeros(count, sizeof(*total));
	bool has = false;

	for (size_t i = 0; i < 2 && name[i]; i++) {
		size_t index = policy_column_named(recorded->policy, name[i]);

		if (index == POLICY_HAS_NONE)
			continue;
		has = true;
		for (size_t node = 0; node < count; node++)
			total[node] += recorded->columns.column[index][node];
	}
	if (has)
		recorded_give_resource(tree, resource, total);
}

/* Gives the tree its usage. The usage that is printed for pbs includes initial_usage, which is not
 * usage: an account has it besides the usage of its members, a user until it has used as much. */
static void give_usage(struct recorded *recorded)
{
	struct fathom_tree *tree = recorded->snapshot.tree;
	size_t count = fathom_tree_count(tree);
	size_t setting = policy_setting_named(recorded->policy, "initial_usage");
	double initial = setting == POLICY_HAS_NONE ? 0 : recorded->settings.value[setting];
	double *usage = need_zeros(count, sizeof(*usage));

	for (size_t node = 0; node < count; node++) {
		usage[node] = recorded->columns.usage[node];
		if (fathom_tree_kind(tree, node) == FATHOM_ACCOUNT)
			usage[node] -= initial;
		else if (usage[node] <= initial)
			usage[node] = 0;
	}
	recorded_give_usage(tree, usage);
}

/* Gives the tree own usage and own resources. They are not printed; what is printed of an account
 * includes its members. Historical run time is not set: it is part of the printed run time. */
static void give_amounts(struct recorded *recorded)
{
	give_usage(recorded);
	give_listed(recorded, FATHOM_CPU_TIME, "total_cpu_time", NULL);
	give_listed(recorded, FATHOM_RUN_TIME, "total_run_time", NULL);
	give_listed(recorded, FATHOM_JOB_SLOTS, "started", "reserved");
	give_listed(recorded, FATHOM_RESERVED_SLOTS, "reserved", NULL);
	give_listed(recorded, FATHOM_ADJUSTMENT, "adjust", NULL);
}

/* Builds the tree of the rows that were read. Fails if associations are missing. */
static void finish_printed(struct figures_tree *tree, struct document *input)
{
	struct snapshot *snapshot = &tree->recorded.snapshot;

	if (!tree->recorded.policy)
		wrong_at(input, 0, "\"policy\" is missing");
	if (tree->is_selection)
		wrong_at(input, 0, "associations are missing, must be the whole tree, as of "
			 "'fathom shares -a --json'");
	/* a user of LSF may have several nodes in a level */
	tree_builder_finish(&tree->builder, input, !PARTITIONS_KNOWN, snapshot);
	set_figures(tree);
	give_amounts(&tree->recorded);
	snapshot->has_time = tree->has_time;
	snapshot->time = tree->time;
	snapshot->has_half_life = tree->has_half_life;
	snapshot->half_life = tree->half_life;
}

/* Reads the output of fathom shares. */
static void read_printed(struct document *input, struct recorded_pass *pass)
{
	struct printed_shares printed = { 0 };
	struct figures_tree *tree;

	json_read_document(input, &printed_document, &printed);
	tree = printed.count ? &printed.policy_tree[0] : &printed.tree;
	finish_printed(tree, input);
	if (printed.count > 1)
		document_remark(input, "has %zu policies; the first, %s, is read", printed.count,
				fathom_policy_name(tree->recorded.policy));
	*pass = (struct recorded_pass){ .in_force = tree->recorded, .global = global_of(tree) };
}

/* Returns whether fathom shares --json has printed the file; else it is a FiguresFile. */
static bool is_printed(const struct document *input)
{
	return json_is_format(input, JSON_SHARES_FORMAT);
}

static void figures_read_recorded(struct document *input, struct recorded_pass *pass)
{
	if (is_printed(input))
		read_printed(input, pass);
	else
		read_pass(input, &document, pass);
}

/* Reads the tree of the policy in force alone. */
static void figures_read(struct document *input, struct snapshot *snapshot)
{
	struct recorded_pass pass;

	figures_read_recorded(input, &pass);
	*snapshot = pass.in_force.snapshot;
}

static bool figures_recognize(const struct document *input)
{
	return json_is_format(input, JSON_FIGURES_FORMAT) || is_printed(input);
}

const struct format format_figures = {
	.name = "figures",
	.summary = "the FiguresFile of a cluster, or what fathom shares --json prints",
	.holds = HOLDS_TREE | HOLDS_USAGE,
	.recognize = figures_recognize,
	.read = figures_read,
	.read_recorded = figures_read_recorded,
};
