/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of associations. Rows in any order become nodes in breadth-first
 * order, one array a column:
 *
 *	row	id  parent		node	id  parent  children
 *	0	3   2			0	1   -	    1, 2
 *	1	1   (root)	->	1	2   0	    3
 *	2	2   1			2	4   0	    none
 *	3	4   1			3	3   1	    none
 *
 * So one forward sweep meets each parent before its children, one backward sweep
 * each child before its parent, and the children of a node stand side by side.
 */
#include "core/error.h"
#include "core/id_index.h"
#include "core/tree_private.h"
#include "core/valid_usage.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_NODE UINT32_MAX	/* in place of a node or a row: there is none */

/* ---- rows by id ------------------------------------------------------------ */

/* Fills the index from ids to rows. -1: EINVAL for an id that occurs twice; ENOMEM. */
static int index_rows(struct id_index *index, const struct fathom_row *rows, size_t count,
		      struct fathom_error *error)
{
	if (id_index_reserve(index, count))
		return fathom_error_set(error, ENOMEM, "%zu associations: out of memory", count);
	for (size_t row = 0; row < count; row++) {
		uint32_t other;

		if (id_index_find(index, (uint64_t)rows[row].id, &other))
			return fathom_error_set_row(error, EINVAL, row,
						    "id %lld occurs twice, must be unique",
						    (long long)rows[row].id);
		id_index_put(index, (uint64_t)rows[row].id, (uint32_t)row);
	}
	return 0;
}

/* ---- checking rows -------------------------------------------------------- */

/* Checks a row by itself: its usage, and the kind of a root. -1: EINVAL. */
static int check_row(const struct fathom_row *rows, size_t row, struct fathom_error *error)
{
	const struct fathom_row *given = &rows[row];

	if (!(given->usage >= 0) || isinf(given->usage))
		return fathom_error_set_row(error, EINVAL, row,
					    "usage is %g, must be a number of 0 or more",
					    given->usage);
	if (given->is_root && given->kind != FATHOM_ACCOUNT)
		return fathom_error_set_row(error, EINVAL, row,
					    "the root is a user, must be an account");
	return 0;
}

/* Sets *root, FATHOM_NO_ROW before, to the row of a root. -1: EINVAL, there was a root before. */
static int set_root(size_t row, size_t *root, struct fathom_error *error)
{
	if (*root != FATHOM_NO_ROW)
		return fathom_error_set_row(error, EINVAL, row,
					    "there are two roots; a tree has one");
	*root = row;
	return 0;
}

/* Sets *parent_row to the row of the parent of `row`, which is not the root. -1: EINVAL. */
static int find_parent(const struct id_index *index, const struct fathom_row *rows, size_t row,
		       uint32_t *parent_row, struct fathom_error *error)
{
	long long id = (long long)rows[row].parent_id;

	if (!id_index_find(index, (uint64_t)id, parent_row))
		return fathom_error_set_row(error, EINVAL, row, "parent %lld does not exist", id);
	if (rows[*parent_row].kind == FATHOM_USER)
		return fathom_error_set_row(error, EINVAL, row,
					    "parent %lld is a user, must be an account", id);
	return 0;
}

/* Checks all rows, and finds their parents and the root. parent_row: gets by row the row of its
 * parent, NO_NODE for the root. *root: gets the root's row. -1: EINVAL, ENOMEM. */
static int link_rows(const struct fathom_row *rows, size_t count, uint32_t *parent_row,
		     size_t *root, struct fathom_error *error)
{
	struct id_index index = { 0 };
	int status = index_rows(&index, rows, count, error);

	*root = FATHOM_NO_ROW;
	for (size_t row = 0; !status && row < count; row++) {
		parent_row[row] = NO_NODE;
		status = check_row(rows, row, error);
		if (!status && rows[row].is_root)
			status = set_root(row, root, error);
		else if (!status)
			status = find_parent(&index, rows, row, &parent_row[row], error);
	}
	if (!status && *root == FATHOM_NO_ROW)
		status = fathom_error_set(error, EINVAL,
					  "no root; one account must have no parent");
	id_index_clear(&index);
	return status;
}

/* ---- breadth-first order --------------------------------------------------- */

/* Sorts rows by their parents, by a counting sort. child: gets rows, those of one parent side by
 * side. first: gets by row the index in `child` of its first child; count + 1 long, all 0 at the
 * start. In the example above: child 2, 3, 0; first 0, 0, 2, 3, 3. */
static void list_children(const uint32_t *parent_row, size_t count, uint32_t *first,
			  uint32_t *child)
{
	for (size_t row = 0; row < count; row++)
		if (parent_row[row] != NO_NODE)
			first[parent_row[row] + 1]++;
	for (size_t row = 0; row < count; row++)
		first[row + 1] += first[row];
	for (size_t row = 0; row < count; row++)
		if (parent_row[row] != NO_NODE)
			child[first[parent_row[row]]++] = (uint32_t)row;
	/* filling moved each start to its end, which is the start of the next row's children */
	memmove(first + 1, first, count * sizeof(*first));
	first[0] = 0;
}

/* Makes row number `row` the node number `node`. */
static void set_node(struct fathom_tree *tree, size_t node, const struct fathom_row *rows,
		     size_t row)
{
	const struct fathom_row *given = &rows[row];

	tree->node_of_row[row] = (uint32_t)node;
	tree->id[node] = given->id;
	tree->kind[node] = (uint8_t)given->kind;
	tree->raw_shares[node] = given->is_root ? 1 : given->raw_shares;
	tree->own_usage[node] = valid_usage(given->usage);	/* -0.0 becomes 0 */
	tree->user_count += given->kind == FATHOM_USER;
}

/* Numbers the nodes from the root down. first, child: of list_children(). order: scratch memory,
 * count long, for the row of each node. Returns how many rows the root reaches: fewer than all if
 * there is a cycle. */
static size_t number_nodes(struct fathom_tree *tree, const struct fathom_row *rows, size_t root,
			   const uint32_t *first, const uint32_t *child, uint32_t *order)
{
	size_t reached = 1;

	order[0] = (uint32_t)root;
	set_node(tree, 0, rows, root);
	for (size_t node = 0; node < reached; node++) {
		uint32_t row = order[node];

		tree->first_child[node] = (uint32_t)reached;
		tree->child_count[node] = first[row + 1] - first[row];
		for (uint32_t i = first[row]; i < first[row + 1]; i++) {
			tree->parent[reached] = (uint32_t)node;
			order[reached] = child[i];
			set_node(tree, reached++, rows, child[i]);
		}
	}
	return reached;
}

/* Sets the error about a row in a cycle. The first row that the root does not reach is in the
 * cycle or below it, so its ancestors lead there. There must be such a row. The tree is of no
 * further use. Returns -1. */
static int refuse_cycle(struct fathom_tree *tree, const struct fathom_row *rows,
			const uint32_t *parent_row, struct fathom_error *error)
{
	size_t row = 0;

	while (tree->node_of_row[row] != NO_NODE)
		row++;
	/* a mark on each ancestor, until one has it already */
	for (; tree->node_of_row[row] == NO_NODE; row = parent_row[row])
		tree->node_of_row[row] = 0;
	return fathom_error_set_row(error, EINVAL, row, "id %lld is its own ancestor: a cycle",
				    (long long)rows[row].id);
}

/* Turns rows into nodes in three steps: parents, lists of children, numbers. -1: EINVAL, ENOMEM. */
static int build(struct fathom_tree *tree, const struct fathom_row *rows,
		 struct fathom_error *error)
{
	size_t count = tree->node_count, root = 0;
	uint32_t *scratch = calloc(4 * count + 1, sizeof(*scratch));
	uint32_t *parent_row = scratch, *child, *order, *first;
	int status;

	if (!scratch)
		return fathom_error_set(error, ENOMEM, "%zu associations: out of memory", count);
	child = scratch + count;
	order = child + count;
	first = order + count;

	status = link_rows(rows, count, parent_row, &root, error);
	if (!status) {
		list_children(parent_row, count, first, child);
		/* all NO_NODE */
		memset(tree->node_of_row, 0xff, count * sizeof(*tree->node_of_row));
		if (number_nodes(tree, rows, root, first, child, order) < count)
			status = refuse_cycle(tree, rows, parent_row, error);
	}
	free(scratch);
	return status;
}

/* ---- create, copy, destroy --------------------------------------------------- */

/* Expands DO(column) for all columns that every tree has, to make, copy and free them. Columns of
 * resources are made when first set. */
#define EACH_COLUMN(DO)                                                                   \
	DO(node_of_row) DO(id) DO(parent) DO(first_child) DO(child_count) DO(kind)        \
	DO(raw_shares) DO(own_usage) DO(fs_parent) DO(level_shares) DO(level_share)       \
	DO(norm_shares) DO(level_first) DO(level_count) DO(level_member) DO(usage)

/* Returns a tree of `count` nodes whose columns are all 0. NULL: ENOMEM. */
static struct fathom_tree *allocate(size_t count, struct fathom_error *error)
{
	struct fathom_tree *tree = calloc(1, sizeof(*tree));
	bool is_complete = tree;

#define ALLOCATE(column) \
	is_complete = is_complete && (tree->column = calloc(count, sizeof(*tree->column)));
	EACH_COLUMN(ALLOCATE)
#undef ALLOCATE
	if (is_complete) {
		tree->node_count = count;
		return tree;
	}
	fathom_error_set(error, ENOMEM, "%zu associations: out of memory", count);
	fathom_tree_destroy(tree);
	return NULL;
}

struct fathom_tree *fathom_tree_create(const struct fathom_row *rows, size_t count,
				       struct fathom_error *error)
{
	struct fathom_tree *tree;

	if (!count || count >= NO_NODE) {
		fathom_error_set(error, EINVAL,
				 "the tree has %zu associations; 1 to %lu are supported", count,
				 (unsigned long)NO_NODE - 1);
		return NULL;
	}
	tree = allocate(count, error);
	if (!tree || build(tree, rows, error)) {
		fathom_tree_destroy(tree);
		return NULL;
	}
	tree->shares_changed = tree->usage_changed = true;
	fathom_tree_settle(tree);
	return tree;
}

/* Gives a tree the columns of a resource, all 0. -1: ENOMEM. */
static int add_resource(struct fathom_tree *tree, enum fathom_resource resource,
			struct fathom_error *error)
{
	double *own = calloc(tree->node_count, sizeof(*own));
	double *total = calloc(tree->node_count, sizeof(*total));

	if (!own || !total) {
		free(own);
		free(total);
		return fathom_error_set(error, ENOMEM, "%zu associations: out of memory",
					tree->node_count);
	}
	tree->own_resource[resource] = own;
	tree->resource[resource] = total;
	return 0;
}

/* Copies the columns of a resource to `copy`, if the tree has them. -1: ENOMEM. */
static int copy_resource(struct fathom_tree *copy, const struct fathom_tree *tree,
			 enum fathom_resource resource, struct fathom_error *error)
{
	size_t size = tree->node_count * sizeof(double);

	if (!tree->resource[resource])
		return 0;
	if (add_resource(copy, resource, error))
		return -1;
	memcpy(copy->own_resource[resource], tree->own_resource[resource], size);
	memcpy(copy->resource[resource], tree->resource[resource], size);
	copy->resource_changed[resource] = tree->resource_changed[resource];
	return 0;
}

struct fathom_tree *fathom_tree_copy(const struct fathom_tree *tree, struct fathom_error *error)
{
	struct fathom_tree *copy = allocate(tree->node_count, error);

	if (!copy)
		return NULL;
	copy->user_count = tree->user_count;
	copy->shares_changed = tree->shares_changed;
	copy->usage_changed = tree->usage_changed;
#define COPY(column) memcpy(copy->column, tree->column, tree->node_count * sizeof(*tree->column));
	EACH_COLUMN(COPY)
#undef COPY
	for (size_t i = 0; i < FATHOM_RESOURCE_COUNT; i++) {
		if (!copy_resource(copy, tree, (enum fathom_resource)i, error))
			continue;
		fathom_tree_destroy(copy);
		return NULL;
	}
	return copy;
}

void fathom_tree_destroy(struct fathom_tree *tree)
{
	if (!tree)
		return;
#define FREE(column) free(tree->column);
	EACH_COLUMN(FREE)
#undef FREE
	for (size_t i = 0; i < FATHOM_RESOURCE_COUNT; i++) {
		free(tree->own_resource[i]);
		free(tree->resource[i]);
	}
	free(tree);
}

/* ---- derived columns ------------------------------------------------------- */

/* Finds each node's fs parent, see fathom_tree_fs_parent(), and sums up the shares of each level.
 * One forward sweep is enough, because parents come before their children. */
static void find_fs_parents(struct fathom_tree *tree)
{
	memset(tree->level_shares, 0, tree->node_count * sizeof(*tree->level_shares));
	for (size_t node = 1; node < tree->node_count; node++) {
		uint32_t parent = tree->parent[node];

		tree->fs_parent[node] =
			tree_uses_parent_shares(tree, parent) ? tree->fs_parent[parent] : parent;
		if (!tree_uses_parent_shares(tree, node))
			tree->level_shares[tree->fs_parent[node]] += tree->raw_shares[node];
	}
}

/* Computes level_share and norm_shares from the sums of shares, from the root down. A node with
 * shares "parent" gets what its fs parent has. */
static void normalise_shares(struct fathom_tree *tree)
{
	tree->norm_shares[0] = tree->level_share[0] = 1;
	for (size_t node = 1; node < tree->node_count; node++) {
		uint32_t fs_parent = tree->fs_parent[node];
		double sum = tree->level_shares[fs_parent];

		if (tree_uses_parent_shares(tree, node)) {
			tree->level_share[node] = tree->level_share[fs_parent];
			tree->norm_shares[node] = tree->norm_shares[fs_parent];
			continue;
		}
		tree->level_share[node] = sum > 0 ? tree->raw_shares[node] / sum : 0;
		tree->norm_shares[node] = tree->norm_shares[fs_parent] * tree->level_share[node];
	}
}

/* Returns whether the node belongs to a level. The root does not; nor does an account with shares
 * "parent", whose children belong to the level in its place. */
static bool is_level_member(const struct fathom_tree *tree, size_t node)
{
	return node && !(tree->kind[node] == FATHOM_ACCOUNT && tree_uses_parent_shares(tree, node));
}

/* Lists the members of each level in the order of the rows, by a counting sort: the first loop
 * counts them, the second turns counts into the first index of each level and sets the counts to 0,
 * the third lists the members and counts them again. */
static void list_levels(struct fathom_tree *tree)
{
	size_t count = tree->node_count;
	uint32_t next = 0;

	memset(tree->level_count, 0, count * sizeof(*tree->level_count));
	for (size_t node = 1; node < count; node++)
		if (is_level_member(tree, node))
			tree->level_count[tree->fs_parent[node]]++;
	for (size_t node = 0; node < count; node++) {
		tree->level_first[node] = next;
		next += tree->level_count[node];
		tree->level_count[node] = 0;
	}
	for (size_t row = 0; row < count; row++) {
		uint32_t node = tree->node_of_row[row], level = tree->fs_parent[node];

		if (is_level_member(tree, node))
			tree->level_member[tree->level_first[level] + tree->level_count[level]++] =
				node;
	}
}

/* Sets the total of each node to its own value plus the totals of its children, from the leaves to
 * the root. own, total: by node. */
static void roll_up(const struct fathom_tree *tree, const double *own, double *total)
{
	for (size_t node = tree->node_count; node-- > 0;) {
		const double *child_total = total + tree->first_child[node];
		double sum = own[node];

		for (uint32_t i = 0; i < tree->child_count[node]; i++)
			sum += child_total[i];
		total[node] = sum;
	}
}

void fathom_tree_settle(struct fathom_tree *tree)
{
	if (tree->shares_changed) {
		find_fs_parents(tree);
		normalise_shares(tree);
		list_levels(tree);
		tree->shares_changed = false;
	}
	if (tree->usage_changed)
		roll_up(tree, tree->own_usage, tree->usage);
	tree->usage_changed = false;
	for (size_t i = 0; i < FATHOM_RESOURCE_COUNT; i++) {
		if (tree->resource_changed[i])
			roll_up(tree, tree->own_resource[i], tree->resource[i]);
		tree->resource_changed[i] = false;
	}
}

/* ---- access ------------------------------------------------------------------ */

size_t fathom_tree_count(const struct fathom_tree *tree)
{
	return tree->node_count;
}

size_t fathom_tree_user_count(const struct fathom_tree *tree)
{
	return tree->user_count;
}

const uint32_t *fathom_tree_nodes_of_rows(const struct fathom_tree *tree)
{
	return tree->node_of_row;
}

/* Defines a function that returns the value of a column for a row or node. */
#define GETTER(type, function, column)                            \
	type function(const struct fathom_tree *tree, size_t at) \
	{                                                         \
		return tree->column[at];                          \
	}

GETTER(size_t, fathom_tree_node_of_row, node_of_row)
GETTER(int64_t, fathom_tree_id, id)
GETTER(size_t, fathom_tree_parent, parent)
GETTER(size_t, fathom_tree_first_child, first_child)
GETTER(size_t, fathom_tree_child_count, child_count)
GETTER(enum fathom_kind, fathom_tree_kind, kind)
GETTER(uint32_t, fathom_tree_raw_shares, raw_shares)
GETTER(double, fathom_tree_own_usage, own_usage)
GETTER(double, fathom_tree_usage, usage)
GETTER(size_t, fathom_tree_fs_parent, fs_parent)
GETTER(double, fathom_tree_level_share, level_share)
GETTER(double, fathom_tree_norm_shares, norm_shares)

void fathom_tree_set_raw_shares(struct fathom_tree *tree, size_t node, uint32_t raw_shares)
{
	if (!node || tree->raw_shares[node] == raw_shares)
		return;
	tree->raw_shares[node] = raw_shares;
	tree->shares_changed = true;
}

void fathom_tree_set_own_usage(struct fathom_tree *tree, size_t node, double usage)
{
	double valid = valid_usage(usage);

	tree->usage_changed |= tree->own_usage[node] != valid;
	tree->own_usage[node] = valid;
}

/* Returns the amount as it is stored: an adjustment may be below 0, all else is as usage. */
static double valid_amount(enum fathom_resource resource, double amount)
{
	if (resource != FATHOM_ADJUSTMENT)
		return valid_usage(amount);
	return isfinite(amount) ? amount : 0;
}

int fathom_tree_set_own_resource(struct fathom_tree *tree, size_t node,
				 enum fathom_resource resource, double amount,
				 struct fathom_error *error)
{
	double valid;

	/* quick, as most nodes keep their amount */
	if (tree->own_resource[resource] && tree->own_resource[resource][node] == amount)
		return 0;
	valid = valid_amount(resource, amount);
	if (!tree->resource[resource] && add_resource(tree, resource, error))
		return -1;
	tree->resource_changed[resource] |= tree->own_resource[resource][node] != valid;
	tree->own_resource[resource][node] = valid;
	return 0;
}

size_t fathom_resource_count(void)
{
	return FATHOM_RESOURCE_COUNT;
}

const char *fathom_resource_name(enum fathom_resource resource)
{
	static const char *const names[FATHOM_RESOURCE_COUNT] = {
		[FATHOM_CPU_TIME] = "cpu_time",
		[FATHOM_RUN_TIME] = "run_time",
		[FATHOM_HIST_RUN_TIME] = "hist_run_time",
		[FATHOM_COMMITTED_RUN_TIME] = "committed_run_time",
		[FATHOM_JOB_SLOTS] = "job_slots",
		[FATHOM_MEMORY] = "memory",
		[FATHOM_ADJUSTMENT] = "adjustment",
		[FATHOM_RESERVED_SLOTS] = "reserved_slots",
	};

	return names[resource];
}

bool fathom_tree_has_resource(const struct fathom_tree *tree, enum fathom_resource resource)
{
	return tree->resource[resource];
}

double fathom_tree_own_resource(const struct fathom_tree *tree, size_t node,
				enum fathom_resource resource)
{
	return tree->own_resource[resource] ? tree->own_resource[resource][node] : 0;
}

double fathom_tree_resource(const struct fathom_tree *tree, size_t node,
			    enum fathom_resource resource)
{
	return tree->resource[resource] ? tree->resource[resource][node] : 0;
}
