/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an unknown word may have been meant for. */
#include "../unit.h"

#include "core/suggestion.h"

/* The longest that is compared has 40 letters. */
#define FORTY "abcdefghijabcdefghijabcdefghijabcdefghij"

static const struct { const char *word, *name; bool is_near; } vectors[] = {
	{ "age", "age", true }, { "Age", "age", true }, { "ags", "agent", false },
	{ "fairshar", "fairshare", true }, { "fairsha", "fairshare", true },
	{ "FAIR_TREE", "fair-tree", true },
	{ "fairsh", "fairshare", false }, { "xy", "xz", false },
	{ "qos", "foo", false }, { "part", "trap", false },
	{ "bbo", "bob", true }, { "obb", "bob", true }, { "ab", "ba", false },
	{ "fiarhsare", "fairshare", true }, { "fiarhsaer", "fairshare", false },
	{ FORTY, FORTY, true }, { "x" FORTY, FORTY, false }, { FORTY, FORTY "x", false },
	{ "abcdefghijabcdefghijabcdefghijabcdefgh", FORTY, true },
	{ FORTY, "abcdefghijabcdefghijabcdefghijabcdefgh", true },
};

TEST_EACH(name_is_near_if_few_letters_differ, vectors)
{
	struct suggestion suggestion =
		{ .word = vectors[_i].word, .length = strlen(vectors[_i].word) };

	suggestion_consider(&suggestion, vectors[_i].name);
	ck_assert_msg((suggestion.name != NULL) == vectors[_i].is_near, "%s, %s: %zu",
		      vectors[_i].word,
		      vectors[_i].name, suggestion.distance);
}

TEST(any_name_will_do_if_asked)
{
	struct suggestion suggestion = { .word = "xy", .length = 2, .is_any = true };

	suggestion_consider(&suggestion, FORTY FORTY);
	ck_assert_str_eq(suggestion.name, FORTY FORTY);
	suggestion_consider(&suggestion, "b");
	suggestion_consider(&suggestion, "a");
	ck_assert_str_eq(suggestion.name, "b");
	ck_assert(!suggestion_is_similar(&suggestion));
	suggestion_consider(&suggestion, "XY");
	ck_assert(suggestion_is_similar(&suggestion));
}

TEST(words_too_long_to_compare_are_compared_by_their_beginning_if_any_will_do)
{
	struct suggestion suggestion = { .word = FORTY "x", .length = 41, .is_any = true };

	suggestion_consider(&suggestion, "b");
	suggestion_consider(&suggestion, FORTY "yz");
	ck_assert_str_eq(suggestion.name, FORTY "yz");
}

TEST(first_of_the_nearest_counts)
{
	struct suggestion suggestion = { .word = "level_f is cut", .length = strlen("level_f") };

	suggestion_consider(&suggestion, "leve");
	suggestion_consider(&suggestion, "level");
	suggestion_consider(&suggestion, "level_fs");
	suggestion_consider(&suggestion, "level_ft");
	ck_assert_str_eq(suggestion.name, "level_fs");
	ck_assert_uint_eq(suggestion.distance, 1);
}
