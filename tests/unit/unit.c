/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "unit.h"

#include <ctype.h>
#include <locale.h>

#define MAX_ROWS 64	/* of a tree written by hand */

/* ---- what the end of a test frees ------------------------------------------------ */

struct kept {
	void *object;
	void (*destroy)(void *object);
	struct kept *next;
};
static struct kept *kept;

static void *keep(void *object, void (*destroy)(void *object))
{
	struct kept *first = malloc(sizeof(*first));

	*first = (struct kept){ object, destroy, kept };
	kept = first;
	return object;
}

static void destroy_tree(void *tree)
{
	fathom_tree_destroy(tree);
}

static void destroy_result(void *result)
{
	fathom_result_destroy(result);
}

/* What a test has made, and what it has set, end with it. */
static void clean_up(void)
{
	setlocale(LC_NUMERIC, "C");
	while (kept) {
		struct kept *first = kept;

		kept = first->next;
		first->destroy(first->object);
		free(first);
	}
}

TEST_FIXTURE(NULL, clean_up)

/* ---- reading a tree ---------------------------------------------------------- */

static void skip_blank(const char **at)
{
	while (isspace((unsigned char)**at))
		++*at;
}

static bool take(const char **at, char c)
{
	skip_blank(at);
	if (**at != c)
		return false;
	++*at;
	return true;
}

static double number(const char **at)
{
	char *end;
	double value = strtod(*at, &end);

	ck_assert_msg(end != *at, "no number at '%s'", *at);
	*at = end;
	return value;
}

static uint32_t shares(const char **at)
{
	skip_blank(at);
	if (!strncmp(*at, "parent", 6)) {
		*at += 6;
		return FATHOM_SHARES_PARENT;
	}
	return (uint32_t)number(at);
}

/* A name, its shares and usage; the children follow. */
static void read_row(struct unit_tree *tree, const char **at, int64_t parent_id)
{
	struct fathom_row *row = &tree->rows[tree->count];
	size_t length;

	ck_assert_uint_lt(tree->count, MAX_ROWS);
	skip_blank(at);
	length = strcspn(*at, " ");
	ck_assert_uint_lt(length, sizeof(*tree->names));
	memcpy(tree->names[tree->count++], *at, length);
	*at += length;
	*row = (struct fathom_row){ .id = (int64_t)tree->count, .parent_id = parent_id,
				    .kind = FATHOM_USER };
	row->raw_shares = shares(at);
	if (take(at, '/'))
		row->usage = number(at);
}

struct unit_tree unit_tree_read(const char *text)
{
	struct unit_tree tree = { .rows = keep(calloc(MAX_ROWS, sizeof(*tree.rows)), free),
				  .names = keep(calloc(MAX_ROWS, sizeof(*tree.names)), free),
				  .count = 1 };
	int64_t parent[MAX_ROWS] = { 1 };
	struct fathom_error error = { 0 };
	const char *at = text;
	size_t depth = 0;

	tree.rows[0] = (struct fathom_row){ .id = 1, .is_root = true };
	strcpy(tree.names[0], "root");
	if (take(&at, '/')) {
		tree.rows[0].usage = number(&at);
		ck_assert(take(&at, ';'));
	}
	for (skip_blank(&at); *at; skip_blank(&at)) {
		if (take(&at, ')')) {
			ck_assert_uint_gt(depth, 0);
			depth--;
		} else if (!take(&at, ',')) {
			read_row(&tree, &at, parent[depth]);
			if (!take(&at, '('))
				continue;
			tree.rows[tree.count - 1].kind = FATHOM_ACCOUNT;
			parent[++depth] = (int64_t)tree.count;
		}
	}
	ck_assert_uint_eq(depth, 0);
	tree.tree = fathom_tree_create(tree.rows, tree.count, &error);
	ck_assert_msg(tree.tree, "%s: %s", text, error.text);
	keep(tree.tree, destroy_tree);
	return tree;
}

/* ---- writing one ------------------------------------------------------------- */

static void write_children(FILE *out, const struct fathom_row *rows, size_t count, size_t of)
{
	const char *comma = "";

	for (size_t row = 1; row < count; row++) {
		if (rows[row].parent_id != rows[of].id)
			continue;
		fprintf(out, "%sn%lld ", comma, (long long)rows[row].id);
		if (rows[row].raw_shares == FATHOM_SHARES_PARENT)
			fputs("parent", out);
		else
			fprintf(out, "%u", rows[row].raw_shares);
		fprintf(out, "/%.17g", rows[row].usage);
		if (rows[row].kind == FATHOM_ACCOUNT) {
			fputs(" (", out);
			write_children(out, rows, count, row);
			fputs(")", out);
		}
		comma = ", ";
	}
}

char *unit_tree_text(const struct fathom_row *rows, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "/%.17g; ", rows[0].usage);
	write_children(out, rows, count, 0);
	fclose(out);
	return text;
}

/* ---- looking things up ------------------------------------------------------- */

static size_t row_of(const struct unit_tree *tree, const char *name)
{
	size_t row = 0;

	while (row < tree->count && strcmp(tree->names[row], name))
		row++;
	ck_assert_msg(row < tree->count, "the tree has no %s", name);
	return row;
}

size_t unit_node(const struct unit_tree *tree, const char *name)
{
	return fathom_tree_node_of_row(tree->tree, row_of(tree, name));
}

struct fathom_settings unit_settings(const struct fathom_policy *policy, const char *setting)
{
	struct fathom_settings settings = fathom_settings_standard(policy);
	struct fathom_error error = { 0 };
	char name[64];
	size_t length;

	if (!setting)
		return settings;
	length = strcspn(setting, "=");
	ck_assert_uint_lt(length, sizeof(name));
	memcpy(name, setting, length);
	name[length] = '\0';
	ck_assert_msg(!fathom_settings_set(policy, &settings, name, setting + length + 1, &error),
		      "%s: %s", setting, error.text);
	return settings;
}

struct fathom_result *unit_evaluate(const struct fathom_tree *tree, const char *policy_name,
				    const char *setting)
{
	const struct fathom_policy *policy = fathom_policy_find(policy_name);
	struct fathom_settings settings;
	struct fathom_result *result;

	ck_assert_ptr_nonnull(policy);
	settings = unit_settings(policy, setting);
	result = fathom_result_create(policy, tree, NULL);
	ck_assert_ptr_nonnull(result);
	fathom_evaluate(result, tree, &settings);
	return keep(result, destroy_result);
}

const double *unit_column(const struct fathom_result *result, const char *policy_name,
			  const char *name)
{
	const struct fathom_policy *policy = fathom_policy_find(policy_name);

	for (size_t i = 0; i < fathom_policy_column_count(policy); i++)
		if (!strcmp(fathom_policy_column(policy, i)->name, name))
			return fathom_result_column(result, i);
	ck_abort_msg("%s has no column %s", policy_name, name);
	return NULL;
}

bool unit_equal_or_nan(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

void unit_assert_near(double value, double expected, const char *what, const char *node)
{
	ck_assert_msg(unit_equal_or_nan(value, expected) ||
			      fabs(value - expected) <= UNIT_TOLERANCE,
		      "%s of %s is %.12g, must be %.12g", what, node, value, expected);
}

/* ---- random numbers (splitmix64) ---------------------------------------------- */

uint64_t unit_random(struct unit_random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint32_t unit_random_below(struct unit_random *random, uint32_t limit)
{
	return (uint32_t)(unit_random(random) % limit);
}

double unit_random_real(struct unit_random *random)
{
	return (double)(unit_random(random) >> 11) * 0x1p-53;
}

/* ---- locale --------------------------------------------------------------------- */

bool unit_use_decimal_comma(void)
{
	static const char source[] = "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
				     "grouping 3;3\nEND LC_NUMERIC\n";
	char folder[] = "/tmp/fathom-unit-XXXXXX", command[256];
	bool comma;

	if (!mkdtemp(folder))
		return false;
	snprintf(command, sizeof(command),
		 "cd %s && printf '%s' >comma && localedef -c -i comma ./comma_XX >/dev/null 2>&1",
		 folder, source);
	comma = system(command) != -1 && !setenv("LOCPATH", folder, 1) &&
		setlocale(LC_NUMERIC, "comma_XX") && *localeconv()->decimal_point == ',';
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return !system(command) && comma;
}

/* ---- running ------------------------------------------------------------------- */

int main(void)
{
	return suite_run();
}
