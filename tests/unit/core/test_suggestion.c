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
