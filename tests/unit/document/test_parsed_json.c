/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON becomes values; what yajl lets pass and no reader could use is wrong. */
#include "../unit.h"

#include "document/parsed_json.h"

#include <malloc.h>

static struct parsed_values values;

static const struct parsed *parse(const char *text, struct json_source *source)
{
	*source = (struct json_source){ .text = text, .length = strlen(text), .is_whole = true };
	return json_parse(&values, source);
}

static const struct parsed *parse_right(const char *text)
{
	struct json_source source;
	const struct parsed *value = parse(text, &source);

	ck_assert_msg(value != NULL, "%s: %s", text, source.wrong);
	return value;
}

TEST(values_keep_kind_and_order)
{
	const struct parsed *object =
		parse_right("{\"list\": [1, [2, {\"deep\": \"x\"}], 3.5, -4], "
			    "\"no\": null, \"yes\": true, \"not\": false}");
	const struct parsed *list = parsed_member(object, "list");
	const struct parsed *inner = parsed_at(list, 1);

	ck_assert_uint_eq(parsed_member_count(object), 4);
	ck_assert_uint_eq(parsed_count(list), 4);
	ck_assert_int_eq(parsed_integer(parsed_at(list, 0)), 1);
	ck_assert_str_eq(parsed_text(parsed_member(parsed_at(inner, 1), "deep")), "x");
	ck_assert(parsed_number(parsed_at(list, 2)) == 3.5);
	ck_assert_int_eq(parsed_integer(parsed_at(list, 3)), -4);
	ck_assert_ptr_null(parsed_at(list, 4));
	ck_assert_ptr_null(parsed_member(object, "lis"));
	ck_assert(parsed_is(parsed_member(object, "no"), PARSED_NULL));
	ck_assert(parsed_is_switch(parsed_member(object, "not")));
	ck_assert_uint_eq(parsed_count(object), 0);
	ck_assert_str_eq(parsed_member_at(object, 2)->key, "yes");
	ck_assert_ptr_null(parsed_at(list, 0)->key);
}

TEST(integers_beyond_64_bits_are_real_numbers)
{
	ck_assert_int_eq(parsed_integer(parse_right("9223372036854775807")), INT64_MAX);
	ck_assert_int_eq(parsed_integer(parse_right("-9223372036854775808")), INT64_MIN);
	ck_assert(parsed_is(parse_right("9223372036854775808"), PARSED_REAL));
	ck_assert_int_eq(parsed_integer(parse_right("999999999999999999")), 999999999999999999);
	ck_assert_int_eq(parsed_integer(parse_right("-1000000000000000001")), -1000000000000000001);
	ck_assert(parsed_number(parse_right("1e300")) == 1e300);
	ck_assert(parsed_is(parse_right("7.0"), PARSED_REAL));
}

TEST(escapes_become_characters)
{
	ck_assert_str_eq(parsed_text(parse_right("\"a\\n\\u00e9\\ud83d\\ude00\\\\u0000\"")),
			 "a\n\xc3\xa9\xf0\x9f\x98\x80\\u0000");
	ck_assert_uint_eq(parsed_length(parse_right("\"\\u00e9\"")), 2);
	/* the first character behind the surrogates */
	ck_assert_str_eq(parsed_text(parse_right("\"\\ue000\"")), "\xee\x80\x80");
}

#define NOT_UTF8 "a text is not in UTF-8; convert the file, as by iconv -f latin1 -t utf-8"

static const struct { const char *text, *wrong; } wrong[] = {
	{ "", "it ends before a value" },
	{ " ", "it ends before a value" },
	{ "[1, 2", "it ends before the ']' of a list" },
	{ "{\"a\": [1], \"b\"", "it ends before the '}' of an object" },
	{ "{\"a\": 0.5", "it ends before the '}' of an object" },
	{ "[1, NaN]", "'NaN' is not expected here" },
	{ "[1,]", "']' is not expected here" },
	{ "[1 2]", "'2' is not expected here" },
	{ "{\"a\": 1} x", "'x' is not expected here" },
	{ "[1e999]", "a number is too large" },
	{ "{\"a\": 1, \"b\": 2, \"a\": 3}", "key \"a\" occurs twice" },
	{ "{\"a\": {\"k\": 1, \"k\": 3}}", "key \"k\" occurs twice" },
	{ "[\"\\u0000\"]", "a text has \\u0000, or half of a pair of \\u" },
	{ "{\"\\u0000\": 1}", "a text has \\u0000, or half of a pair of \\u" },
	{ "[\"\\ud83d\"]", "a text has \\u0000, or half of a pair of \\u" },
	{ "[\"\\ud83d\\u0041\"]", "a text has \\u0000, or half of a pair of \\u" },
	{ "[\"\\udc00\"]", "a text has \\u0000, or half of a pair of \\u" },
	{ "[\"\xff\"]", NOT_UTF8 },
	{ "[\"\xc0\x80\"]", NOT_UTF8 },
	{ "{\"\xed\xa0\x80\": 1}", NOT_UTF8 },
	{ "[\"a\nb\"]", "invalid character inside string" },
	{ "[1,\v2]", "byte 0x0b is no blank" },
	{ "[1]\f", "byte 0x0c is no blank" },
};

TEST_LOOP(what_is_wrong_is_told, sizeof(wrong) / sizeof(*wrong))
{
	struct json_source source;

	ck_assert_ptr_null(parse(wrong[_i].text, &source));
	ck_assert_str_eq(source.wrong, wrong[_i].wrong);
	ck_assert_uint_le(source.used, source.length);
}

/* Puts a number of keys between braces, the last one like another. */
static char *make_object(size_t keys, size_t last)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < keys; i++)
		fprintf(out, "%c\"key%zu\": %zu", i ? ',' : '{', i + 1 < keys ? i : last, i);
	fputc('}', out);
	fclose(out);
	return text;
}

TEST_LOOP(of_few_keys_and_of_many_none_may_occur_twice, 200)
{
	struct json_source source;
	size_t keys = (size_t)_i + 2;
	char *text = make_object(keys, keys);

	ck_assert_uint_eq(parsed_member_count(parse(text, &source)), keys);
	free(text);
	for (size_t twice = 0; twice + 1 < keys; twice += 1 + keys / 3) {
		text = make_object(keys, twice);
		ck_assert_ptr_null(parse(text, &source));
		free(text);
	}
}

struct seen { size_t count, begin[8], end[8]; int64_t first; };

static void note(void *context, const struct parsed *element, size_t begin, size_t end)
{
	struct seen *seen = context;

	seen->begin[seen->count] = begin;
	seen->end[seen->count++] = end;
	seen->first += parsed_integer(parsed_at(element, 0));
}

TEST(elements_of_a_list_come_one_by_one)
{
	static const char text[] = "[ [1, [2]], [30],\n[400], {} ] rest";
	struct seen seen = { 0 };
	struct json_source source = { .text = text, .length = sizeof(text) - 1, .element = note,
				      .context = &seen };

	ck_assert_ptr_nonnull(json_parse(&values, &source));
	ck_assert_uint_eq(seen.count, 4);
	ck_assert_int_eq(seen.first, 431);
	ck_assert_int_eq(strncmp(text + seen.begin[1], "[30]", seen.end[1] - seen.begin[1]), 0);
	ck_assert_uint_eq(seen.begin[3], seen.end[3] - 2);
	ck_assert_str_eq(text + source.used, " rest");
}

static const struct { const char *text; size_t used; } places[] = {
	{ "{\n\"a\":1,\n\"a\":2,\n\"b\":3\n\n}", 12 },
	{ "[\n\n\n,\n1]", 4 },
	{ "[1,\n,\n\n2]", 4 },
	{ "[1:", 2 },
};

TEST_LOOP(the_place_of_what_is_wrong_is_told, sizeof(places) / sizeof(*places))
{
	struct json_source source;

	ck_assert_ptr_null(parse(places[_i].text, &source));
	ck_assert_uint_eq(source.used, places[_i].used);
}

TEST(the_last_value_of_a_key_counts_where_it_may_repeat)
{
	static const char text[] = "{\"a\": 1, \"b\": 2, \"a\": 3}";
	struct json_source source = { .text = text, .length = sizeof(text) - 1,
				      .is_whole = true, .may_repeat = true };

	ck_assert_int_eq(parsed_integer(parsed_member(json_parse(&values, &source), "a")), 3);
}

TEST(lists_are_at_most_2048_deep)
{
	struct json_source source;
	char text[2 * 2049 + 1] = "";

	memset(text, '[', 2049);
	memset(text + 2049, ']', 2049);
	ck_assert_ptr_null(parse(text, &source));
	ck_assert_str_eq(source.wrong, "lists and objects are nested too deep");
	text[2 * 2049 - 1] = '\0';
	ck_assert_ptr_nonnull(parse_right(text + 1));
}

TEST(side_by_side_there_may_be_more_lists)
{
	char text[3 * 3000 + 2] = "[";

	for (size_t i = 0; i < 3000; i++)
		memcpy(text + 1 + 3 * i, "[],", 3);
	text[3 * 3000] = ']';
	ck_assert_uint_eq(parsed_count(parse_right(text)), 3000);
}

TEST(what_is_parsed_next_takes_the_memory_of_what_was)
{
	struct json_source source;
	char *text = make_object(3000, 3000);
	size_t before = 0;

	for (int i = 0; i < 100; i++) {
		ck_assert_ptr_nonnull(parse(text, &source));
		parsed_values_clear(&values);
		if (i == 9)
			before = mallinfo2().uordblks;
	}
	ck_assert_uint_le(mallinfo2().uordblks, before + 10000);
	free(text);
}

TEST(a_wrong_blank_is_found)
{
	ck_assert_ptr_null(json_find_wrong_blank("[1, 2]\t\r\n", 9));
	ck_assert_str_eq(json_find_wrong_blank("[1,\v2]", 6), "\v2]");
	ck_assert_str_eq(json_find_wrong_blank("[1]\f", 4), "\f");
}

TEST(long_texts_have_room)
{
	enum { DEEP = 100000 };
	char *text = calloc(1, 2 * DEEP + 1);

	memset(text, 'x', 2 * DEEP);
	text[0] = text[2 * DEEP - 1] = '"';
	ck_assert_uint_eq(parsed_length(parse_right(text)), 2 * DEEP - 2);
	free(text);
	parsed_values_clear(&values);
}
