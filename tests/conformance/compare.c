/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare EXPECTED: reads the JSON of fathom shares from standard input,
 * checks that it has the contract's shape, and compares it with a file of
 * figures: "columns name COLUMN…", then a line a node. Numbers within 1e-9;
 * "any" is met by everything, "null" and "inf" by themselves; a|b is a where
 * long double has 64 bits of mantissa, else b. Says what differs, status 1.
 */
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-9	/* the vectors' nine decimals */
#define MOST_COLUMNS 16

static int failures;

static void fail(const char *where, const char *what, const char *wanted)
{
	printf("# %s: %s, wanted %s\n", where, what, wanted);
	failures++;
}

/* ---- shape ----------------------------------------------------------------- */

static const char *const head_keys[] = {
	"format", "version", "policy", "tie_mode", "settings", "time", "time_iso", "associations",
	NULL,
};

static const char *const node_keys[] = {
	"id", "parent_id", "account", "user", "parent", "raw_shares", "norm_shares", "raw_usage",
	"norm_usage", "effective_usage", "factor", NULL,
};

static const struct { const char *policy, *keys[9]; } policy_keys[] = {
	{ "classic", { "rank", NULL } },
	{ "depth-oblivious", { "usage_ratio", "parent_ratio", "local_ratio", "k", "rank", NULL } },
	{ "fair-tree", { "level_fs", "rank", NULL } },
	{ "pbs", { "fairshare_perc", "fairshare_tree_usage", "fairshare_factor", "rank", NULL } },
	{ "flux", { "level_fs", "rank", NULL } },
	{ "lsf", { "dynamic_priority", "order", "started", "reserved", "total_cpu_time",
		   "total_run_time", "adjust", "rank", NULL } },
	{ "fcfs", { "rank", NULL } },
};

static const char *const *keys_of(const char *policy)
{
	for (size_t i = 0; i < sizeof(policy_keys) / sizeof(*policy_keys); i++)
		if (!strcmp(policy_keys[i].policy, policy))
			return policy_keys[i].keys;
	fail("policy", policy, "one with keys in policy_keys[] of tests/conformance/compare.c");
	exit(1);
}

static void check_keys(json_t *object, const char *const *first, const char *const *second)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		if (!*first && second) {
			first = second;
			second = NULL;
		}
		if (!*first || strcmp(*first, key)) {
			fail(key, "is in this place", *first ? *first : "no more keys");
			return;
		}
		first++;
	}
	if (*first || (second && *second))
		fail("keys", "end", *first ? *first : *second);
}

static void check_types(json_t *node, bool root)
{
	json_t *parent = json_object_get(node, "parent_id");
	json_t *shares = json_object_get(node, "raw_shares");
	const char *name = json_string_value(json_object_get(node, "account"));

	if (!json_is_integer(json_object_get(node, "id")) || !name)
		fail("id, account", "of another type", "integer, string");
	if (root != json_is_null(parent) || root != json_is_null(json_object_get(node, "parent")))
		fail(name, "parent", "null for the root alone, which is first");
	if (root && json_integer_value(shares) != 1)
		fail(name, "raw_shares", "1 for the root");
	if (!json_is_integer(shares) && (!json_is_string(shares) ||
					 strcmp(json_string_value(shares), "parent")))
		fail(name, "raw_shares", "an integer or \"parent\"");
	if (!json_is_number(json_object_get(node, "norm_shares")) ||
	    !json_is_number(json_object_get(node, "raw_usage")))
		fail(name, "of another type", "numbers");
}

/* Are parents before their children? Ids are few here. */
static void check_order(json_t *nodes, size_t at)
{
	json_t *parent = json_object_get(json_array_get(nodes, at), "parent_id");

	for (size_t i = 0; i < at; i++)
		if (json_equal(json_object_get(json_array_get(nodes, i), "id"), parent))
			return;
	fail("order", "a child", "its parent before it");
}

static void check_shape(json_t *root, json_t *nodes)
{
	const char *const *own = keys_of(json_string_value(json_object_get(root, "policy")));

	check_keys(root, head_keys, NULL);
	for (size_t i = 0; i < json_array_size(nodes); i++) {
		check_keys(json_array_get(nodes, i), node_keys, own);
		check_types(json_array_get(nodes, i), !i);
		if (i)
			check_order(nodes, i);
	}
}

/* ---- figures ----------------------------------------------------------------- */

static json_t *find(json_t *nodes, const char *name)
{
	for (size_t i = 0; i < json_array_size(nodes); i++) {
		json_t *node = json_array_get(nodes, i);
		json_t *user = json_object_get(node, "user");
		json_t *own = json_is_null(user) ? json_object_get(node, "account") : user;

		if (!strcmp(json_string_value(own), name))
			return node;
	}
	return NULL;
}

static bool equals(json_t *value, const char *wanted)
{
	if (!strcmp(wanted, "any"))
		return value != NULL;
	if (!strcmp(wanted, "null"))
		return json_is_null(value);
	if (!strcmp(wanted, "inf"))
		return json_is_string(value) && !strcmp(json_string_value(value), "inf");
	return json_is_number(value) && fabs(json_number_value(value) - atof(wanted)) <= TOLERANCE;
}

static void compare(json_t *node, const char *name, const char *column, char *wanted)
{
	json_t *value = json_object_get(node, column);
	char *other = strchr(wanted, '|'), where[128], *found;

	if (other) {
		*other = '\0';
		if (LDBL_MANT_DIG < 64)
			wanted = other + 1;
	}
	if (equals(value, wanted))
		return;
	snprintf(where, sizeof(where), "%s of %s", column, name);
	found = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
	fail(where, found ? found : "is not there", wanted);
	free(found);
}

static int compare_lines(json_t *nodes, FILE *file)
{
	char line[512], columns_line[512], *column[MOST_COLUMNS] = { NULL }, *rest;
	size_t count = 0;

	while (fgets(line, sizeof(line), file)) {
		char *word = strtok_r(line, " \n", &rest);
		json_t *node;

		if (!word || *word == '#' || !strcmp(word, "options"))
			continue;
		if (!strcmp(word, "columns")) {
			strcpy(columns_line, rest);
			strtok_r(columns_line, " \n", &rest);	/* "name" */
			for (size_t i = 0; i < MOST_COLUMNS; i++)
				column[i] = strtok_r(NULL, " \n", &rest);
			continue;
		}
		node = find(nodes, word);
		if (!node)
			fail(word, "is not there", "a node");
		for (size_t i = 0; node && i < MOST_COLUMNS && column[i]; i++, count++) {
			char *wanted = strtok_r(NULL, " \n", &rest);

			compare(node, word, column[i], wanted ? wanted : (char *)"a value");
		}
	}
	return count ? 0 : -1;
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *root = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
	json_t *nodes = json_object_get(root, "associations");
	FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;

	if (!json_is_array(nodes) || !file) {
		printf("# %s\n", root ? "no file, or no associations" : error.text);
		return 1;
	}
	check_shape(root, nodes);
	if (compare_lines(nodes, file))
		fail(argv[1], "nothing compared", "figures");
	fclose(file);
	json_decref(root);
	return failures > 0;
}
