/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reference.h"

#include <math.h>

static bool is_parent(const struct reference *t, int n)
{
	return n && t->rows[n].raw_shares == FATHOM_SHARES_PARENT;
}

static bool is_user(const struct reference *t, int n)
{
	return t->rows[n].kind == FATHOM_USER;
}

/* ---- section 1 ----------------------------------------------------------------------- */

static int find(const struct fathom_row *rows, int64_t id)
{
	int row = 0;

	while (rows[row].id != id)
		row++;
	return row;
}

static double sum_of_usage(const struct reference *t, int n)
{
	double sum = t->rows[n].usage;

	for (int i = 1; i < (int)t->count; i++)
		if (t->parent[i] == n)
			sum += sum_of_usage(t, i);
	return sum;
}

void reference_read(struct reference *t, const struct fathom_row *rows, size_t count)
{
	*t = (struct reference){ .rows = rows, .count = count };
	for (int n = 1; n < (int)count; n++) {
		t->parent[n] = find(rows, rows[n].parent_id);
		t->fs_parent[n] = t->parent[n];
		while (is_parent(t, t->fs_parent[n]))
			t->fs_parent[n] = t->parent[t->fs_parent[n]];
		if (!is_parent(t, n))
			t->level_shares[t->fs_parent[n]] += rows[n].raw_shares;
	}
	for (int n = 0; n < (int)count; n++)
		t->usage[n] = sum_of_usage(t, n);
}

static double share_of_level(const struct reference *t, int n)
{
	double sum = t->level_shares[t->fs_parent[n]];

	return sum == 0 ? 0 : t->rows[n].raw_shares / sum;
}

double reference_norm_shares(const struct reference *t, int n)
{
	if (!n)
		return 1;
	if (is_parent(t, n))
		return reference_norm_shares(t, t->fs_parent[n]);
	return reference_norm_shares(t, t->fs_parent[n]) * share_of_level(t, n);
}

double reference_norm_usage(const struct reference *t, int n)
{
	return t->usage[0] == 0 ? 0 : t->usage[n] / t->usage[0];
}

/* ---- sections 2 and 3 ------------------------------------------------------------------ */

double reference_classic(const struct reference *t, int n)
{
	int p = t->fs_parent[n];
	double u = reference_norm_usage(t, n);

	if (!n)
		return 1;
	if (!p)
		return u;
	if (is_parent(t, n) || t->level_shares[p] == 0)
		return reference_classic(t, p);
	return u + (reference_classic(t, p) - u) * share_of_level(t, n);
}

double reference_depth_oblivious(const struct reference *t, int n)
{
	int p = t->fs_parent[n];
	double u = reference_norm_usage(t, n), s = reference_norm_shares(t, n);
	double s_p = reference_norm_shares(t, p), level = 0, r_parent, r_local, k = 1;

	if (!n)
		return 1;
	if (!p)
		return u;
	if (is_parent(t, n))
		return reference_depth_oblivious(t, p);
	if (s == 0 || s_p == 0 || u == 0 || reference_depth_oblivious(t, p) == 0)
		return u;
	for (int i = 1; i < (int)t->count; i++)
		if (t->fs_parent[i] == p && !is_parent(t, i))
			level += reference_norm_usage(t, i);
	r_parent = reference_depth_oblivious(t, p) / s_p;
	r_local = (u / s) / (level / s_p);
	if (log(r_parent) * log(r_local) < 0)
		k = 1 / (1 + pow(5 * log(r_parent), 2));
	return r_parent * pow(r_local, k) * s;
}

double reference_factor(const struct reference *t, int n, double dampening_factor,
			double (*effective_usage)(const struct reference *, int))
{
	int f = is_parent(t, n) ? t->fs_parent[n] : n;
	double s = reference_norm_shares(t, f);

	if (!n)
		return NAN;
	return s > 0 ? pow(2, -effective_usage(t, f) / s / dampening_factor) : 0;
}

/* ---- section 5 ------------------------------------------------------------------------- */

/* What a node adds to the accounts above it. */
static double stored_usage(const struct reference_pbs *pbs, int n)
{
	const struct reference *t = pbs->tree;
	double sum = t->rows[n].usage;

	if (is_user(t, n))
		return sum > pbs->initial ? sum : 0;
	for (int i = 1; i < (int)t->count; i++)
		if (t->parent[i] == n)
			sum += stored_usage(pbs, i);
	return sum;
}

double reference_pbs_usage(const struct reference_pbs *pbs, int n)
{
	double usage = pbs->tree->rows[n].usage;

	if (is_user(pbs->tree, n))
		return usage > pbs->initial ? usage : pbs->initial;
	return pbs->initial + stored_usage(pbs, n);
}

double reference_pbs_perc(const struct reference_pbs *pbs, int n)
{
	const struct reference *t = pbs->tree;
	int p = t->fs_parent[n];
	double sum = t->level_shares[p] + (p ? 0 : pbs->unknown);

	if (!n)
		return 1;
	if (is_parent(t, n))
		return reference_pbs_perc(pbs, p);
	return sum == 0 ? 0 : reference_pbs_perc(pbs, p) * (t->rows[n].raw_shares / sum);
}

double reference_pbs_tree_usage(const struct reference_pbs *pbs, int n)
{
	const struct reference *t = pbs->tree;
	int p = t->fs_parent[n];
	double all = reference_pbs_usage(pbs, 0);
	double u = all == 0 ? 0 : fmin(reference_pbs_usage(pbs, n) / all, 1);

	if (!n)
		return 1;
	if (!p)
		return u;
	if (is_parent(t, n))
		return reference_pbs_tree_usage(pbs, p);
	return u + (reference_pbs_tree_usage(pbs, p) - u) * share_of_level(t, n);
}

double reference_pbs_factor(const struct reference_pbs *pbs, int n)
{
	int f = is_parent(pbs->tree, n) ? pbs->tree->fs_parent[n] : n;
	double perc = reference_pbs_perc(pbs, f);

	if (!n)
		return NAN;
	return perc > 0 ? pow(2, -reference_pbs_tree_usage(pbs, f) / perc) : 0;
}

/* From the root's child to the node. */
static int path_of(const struct reference *t, int n, int *path)
{
	int length = n ? path_of(t, t->fs_parent[n], path) : 0;

	if (n)
		path[length++] = n;
	return length;
}

int reference_pbs_order(const struct reference *t, const double *usage, const double *perc, int a,
			int b)
{
	int one[REFERENCE_MAX], two[REFERENCE_MAX];
	int m = path_of(t, a, one), n = path_of(t, b, two);

	for (int i = 0; i < m && i < n; i++) {
		double x = perc[one[i]], y = perc[two[i]];

		if (one[i] == two[i])
			continue;
		if (x == 0 || y == 0)
			return x == 0 && y == 0 ? 0 : x == 0 ? 1 : -1;
		x = usage[one[i]] / x;
		y = usage[two[i]] / y;
		if (fabs(x - y) > 1e-12 * fmax(x, y))	/* else they differ by rounding alone */
			return x < y ? -1 : 1;
	}
	return (m > n) - (m < n);
}

/* ---- section 4 ------------------------------------------------------------------------- */

/* level_fs as a fraction of whole numbers, and as the other modes compute it. */
struct level_fs {
	int node;
	double over, under;	/* under = 0: infinity */
	long double value;
};

struct walk {
	const struct reference *t;
	enum reference_mode mode;
	double users, rank, rnt, *ranks;
};

static long double computed(const struct walk *w, double s, double usage, double usage_of_parent)
{
	if (w->mode == REFERENCE_FLUX)
		return usage < 1e-9 ? 0x1p64L : (long double)(s / (usage / usage_of_parent));
	if (usage == 0)
		return (long double)INFINITY;
	return (long double)s / ((long double)usage / (long double)usage_of_parent);
}

static struct level_fs level_fs(const struct walk *w, int n)
{
	const struct reference *t = w->t;
	int p = t->fs_parent[n];
	double s = share_of_level(t, n);

	if (is_parent(t, n))
		return (struct level_fs){ n, 1, 0, (long double)INFINITY };
	if (s == 0)
		return (struct level_fs){ n, 0, 1, 0 };
	if (t->usage[n] == 0)
		return (struct level_fs){ n, 1, 0, computed(w, s, 0, t->usage[p]) };
	return (struct level_fs){ n, t->rows[n].raw_shares * t->usage[p],
				  t->level_shares[p] * t->usage[n],
				  computed(w, s, t->usage[n], t->usage[p]) };
}

/* Above 0: a comes first. The products are whole numbers far below 2^53. */
static int compare(const struct walk *w, const struct level_fs *a, const struct level_fs *b)
{
	if (w->mode == REFERENCE_DOCUMENTED)
		return (a->over * b->under > b->over * a->under) -
		       (a->over * b->under < b->over * a->under);
	return (a->value > b->value) - (a->value < b->value);
}

static bool equal(const struct walk *w, const struct level_fs *a, const struct level_fs *b)
{
	long double most = fmaxl(fmaxl(a->value, b->value), 1);

	if (!compare(w, a, b))
		return true;
	return w->mode == REFERENCE_FLUX && !isinf(a->value) && !isinf(b->value) &&
	       fabsl(a->value - b->value) < 0x1p-52L * most;
}

static void put(struct level_fs *list, int from, int to)
{
	struct level_fs moved = list[from];

	for (; from > to; from--)
		list[from] = list[from - 1];
	list[to] = moved;
}

static void sort(const struct walk *w, struct level_fs *list, int count)
{
	for (int i = 1; i < count; i++) {
		int to = i;

		while (to && compare(w, &list[i], &list[to - 1]) > 0)
			to--;
		put(list, i, to);
	}
	for (int start = 0, end; start < count; start = end) {
		int users = start;

		for (end = start + 1; end < count && equal(w, &list[end - 1], &list[end]); end++)
			;
		for (int i = start; i < end; i++)
			if (is_user(w->t, list[i].node))
				put(list, i, users++);
	}
}

static int add_children(const struct walk *w, int of, struct level_fs *list, int count)
{
	for (int i = 1; i < (int)w->t->count; i++)
		if (w->t->fs_parent[i] == of && (is_user(w->t, i) || !is_parent(w->t, i)))
			list[count++] = level_fs(w, i);
	return count;
}

static bool same_kind(const struct walk *w, const struct level_fs *a, const struct level_fs *b)
{
	return is_user(w->t, a->node) == is_user(w->t, b->node);
}

static void visit(struct walk *w, struct level_fs *list, int count, bool tied_in)
{
	sort(w, list, count);
	for (int i = 0; i < count;) {
		struct level_fs *n = &list[i], below[REFERENCE_MAX];
		bool tied = i ? equal(w, n - 1, n) : tied_in;
		int size = 0;

		if (i && w->mode == REFERENCE_FLUX && !same_kind(w, n - 1, n))
			tied = false;
		if (is_user(w->t, n->node)) {
			if (!tied)
				w->rank = w->rnt;
			w->ranks[n->node] = w->users - w->rank + 1;
			w->rnt--;
			i++;
			continue;
		}
		do
			size = add_children(w, list[i++].node, below, size);
		while (w->mode != REFERENCE_SLURM && i < count &&
		       same_kind(w, &list[i - 1], &list[i]) && equal(w, &list[i - 1], &list[i]));
		visit(w, below, size, tied);
	}
}

void reference_ranks(const struct reference *t, enum reference_mode mode, double *ranks)
{
	struct walk w = { .t = t, .mode = mode, .ranks = ranks };
	struct level_fs list[REFERENCE_MAX];

	for (int n = 0; n < (int)t->count; n++) {
		w.users += is_user(t, n);
		ranks[n] = 0;
	}
	w.rank = w.rnt = w.users;
	visit(&w, list, add_children(&w, 0, list, 0), false);
}
