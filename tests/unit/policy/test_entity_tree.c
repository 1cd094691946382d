/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 5.1: PBS's tree of groups and entities, and those that it does not list. */
#include "../unit.h"

#include "policy/entity_figures.h"
#include "policy/traits.h"

static struct entity_row p1[] = {
	{ "group1", "root", 40 }, { "bob", "group1", 50 }, { "cathy", "group1", 50 },
	{ "group2", "root", 60 }, { "suzy", "group2", 60 }, { "scott", "group2", 40 },
};

#define USAGE_PERC 3	/* the only column of pbs that is not a copy of a common one */

enum { BOB, CATHY, SUZY, SCOTT, TOM, AGAIN, NONE, OWNERS };
static const char *const owners[OWNERS] = { "bob", "cathy", "suzy", "scott", "tom", "bob", NULL };

static struct entity_tree p1_with(uint32_t unknown_shares)
{
	struct entity_tree entities;
	struct fathom_error error = { 0 };

	ck_assert_msg(!entity_tree_create(&entities, p1, COUNT(p1), unknown_shares, owners,
					  OWNERS, &error), "%s", error.text);
	return entities;
}

static void use(struct entity_tree *entities, size_t owner, double usage)
{
	fathom_tree_set_own_usage(entities->tree, entities->node_of[owner], usage);
	fathom_tree_settle(entities->tree);
}

static const struct { uint32_t unknown; double perc[OWNERS - 1]; } shares[] = {
	{ 0, { .2, .2, .36, .24, 0, .2 } },
	{ 100, { .1, .1, .18, .12, .5, .1 } },
};

TEST_EACH(entities_have_their_part_of_the_whole, shares)
{
	struct entity_tree entities = p1_with(shares[_i].unknown);

	for (size_t i = 0; i < OWNERS - 1; i++)
		unit_assert_near(fathom_tree_norm_shares(entities.tree, entities.node_of[i]),
				 shares[_i].perc[i], "perc", owners[i]);
	ck_assert_uint_eq(entities.node_of[AGAIN], entities.node_of[BOB]);
	ck_assert_uint_eq(entities.node_of[NONE], ENTITY_NONE);
	entity_tree_clear(&entities);
}

TEST(unlisted_entities_share_the_group_unknown)
{
	static const char *const users[] = { "tom", "tim", "root", "tom" };
	struct entity_tree entities;

	ck_assert(!entity_tree_create(&entities, p1, COUNT(p1), 100, users, COUNT(users),
				      NULL));
	for (size_t i = 0; i < COUNT(users); i++)
		unit_assert_near(fathom_tree_norm_shares(entities.tree, entities.node_of[i]),
				 .5 / 3, "perc", users[i]);
	ck_assert_uint_eq(entities.node_of[0], entities.node_of[3]);
	ck_assert_uint_ne(entities.node_of[2], 0);	/* a user, not the root of the tree */
	entity_tree_clear(&entities);
}

TEST(parent_that_no_row_has_is_an_error)
{
	struct entity_row wrong[] = { { "bob", "group1", 50 }, { "group1", "root", 1 } };
	struct entity_tree entities;
	struct fathom_error error = { 0 };

	ck_assert(entity_tree_create(&entities, wrong, 2, 0, NULL, 0, &error));
	ck_assert_str_eq(error.text, "'bob' has no parent 'group1'");
	ck_assert_ptr_null(entities.tree);
}

/* P1, v = 1: whoever is charged to an entity has its figures. */
TEST(associations_have_the_figures_of_their_entities)
{
	struct unit_tree given = unit_tree_read("A 1 (b 1/60, c 1/7), D 3 (s 1/0)");
	struct entity_tree entities = p1_with(0);
	struct fathom_result *of_entities, *result;
	uint32_t entity_of[6];
	size_t b = unit_node(&given, "b"), s = unit_node(&given, "s"), a = unit_node(&given, "A");

	memset(entity_of, 0xff, sizeof(entity_of));
	entity_of[b] = entities.node_of[BOB];
	entity_of[s] = entities.node_of[SUZY];
	entity_of[unit_node(&given, "c")] = entities.node_of[TOM];
	use(&entities, BOB, 100);
	use(&entities, CATHY, 100);
	use(&entities, SCOTT, 1000);
	of_entities = unit_evaluate(entities.tree, "pbs", "initial_usage=1");
	result = unit_evaluate(given.tree, "pbs", NULL);
	entity_figures_copy(result, given.tree, of_entities, entity_of);
	unit_assert_near(fathom_result_factor(result)[b], 0.647718475, "factor", "bob");
	unit_assert_near(fathom_result_factor(result)[s], 0.381552813, "factor", "suzy");
	unit_assert_near(fathom_result_norm_shares(result)[s], .36, "perc", "suzy");
	unit_assert_near(fathom_result_effective_usage(result)[s], 0.500416320, "usage", "suzy");
	unit_assert_near(fathom_result_usage(result)[b], 100, "usage", "bob");
	ck_assert(fathom_result_norm_shares(result)[unit_node(&given, "c")] == 0);
	ck_assert(isnan(fathom_result_factor(result)[a]));
	ck_assert(fathom_result_usage(result)[a] == 67);
	ck_assert(fathom_result_norm_shares(result)[a] == .25);
	ck_assert(fathom_result_effective_usage(result)[a] == 0);
	ck_assert(fathom_result_effective_usage(result)[0] == 1);
	ck_assert(fathom_result_norm_usage(result)[s] ==
		  fathom_result_norm_usage(of_entities)[entity_of[s]]);
	unit_assert_near(fathom_result_column(result, USAGE_PERC)[b], 500, "usage_perc", "bob");
	ck_assert(isnan(fathom_result_column(result, USAGE_PERC)[a]));
	ck_assert(isnan(fathom_result_column(result, USAGE_PERC)[0]));
	entity_tree_clear(&entities);
}
