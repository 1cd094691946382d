/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is read fast has the value that jansson reads; what jansson refuses is not read fast. */
#include "../unit.h"

#include "format/json/json_plain.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 20000
#define FLAGS (JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES)

static const struct { const char *text; bool is_plain; } vectors[] = {
	{ "{}", true }, { "[]", true }, { " { \"a\" : [ 1 , -2 ] } ", true },
	{ "{\"a\": {\"b\": null, \"c\": true, \"d\": false}}", true },
	{ "[0, 10, 999999999999999999, -999999999999999999]", true },
	{ "[0.5, 1e5, -1.25E-3, 5e-324, 1e-400, 123.000]", true },
	{ "\"\"", true }, { "\"user 1/x\"", true }, { "[\"a\",\"b\"]", true },
	{ "[[[[[[[1]]]]]]]", true },
	/* left to jansson, which reads them */
	{ "\"\\u00e9\"", false }, { "\"\xc3\xa9\"", false }, { "\"a\\\"b\"", false },
	{ "[[[[[[[[[1]]]]]]]]]", false }, { "-0", false }, { "1234567890123456789", false },
	{ "{\"1234567890123456789012345678901234567890123456789012345678901234\": 1}", false },
	/* and which it refuses */
	{ "", false }, { " ", false }, { "{", false }, { "[", false }, { "[1", false },
	{ "[1,]", false }, { "{\"a\"}", false }, { "{\"a\": }", false }, { "{\"a\": 1,}", false },
	{ "{\"a\": 1 \"b\": 2}", false }, { "{a: 1}", false }, { "[1 2]", false },
	{ "{\"a\": 1, \"b\": 2, \"a\": 3}", false }, { "\"a", false }, { "\"a\n\"", false },
	{ "\"\xc3\"", false }, { "\"\xff\"", false }, { "[01]", false }, { "[+1]", false },
	{ "[.5]", false }, { "[1.]", false }, { "[1.e5]", false }, { "[1e]", false },
	{ "[1.5.5]", false }, { "[1e400]", false }, { "[-]", false }, { "[0x10]", false },
	{ "[nan]", false }, { "[Infinity]", false }, { "[nul]", false }, { "[nullx]", false },
	{ "nullx", false }, { "True", false }, { "[1}", false }, { "{]", false }, { "}", false },
};

/* Returns whether the text is plain; it must then have the value, and the end, of jansson's. */
static bool check(const char *text)
{
	const char *at = text;
	json_t *plain = json_plain_read(&at), *other;
	json_error_t error;

	if (!plain) {
		ck_assert_msg(at == text, "%s: moved", text);
		return false;
	}
	other = json_loadb(text, strlen(text), FLAGS, &error);
	ck_assert_msg(other != NULL, "%s: %s", text, error.text);
	ck_assert_msg(json_equal(plain, other), "%s: another value", text);
	ck_assert_msg(at == text + error.position, "%s: ends at %d", text, (int)(at - text));
	json_decref(plain);
	json_decref(other);
	return true;
}

START_TEST(plain_values_are_those_of_jansson)	/* loop test: _i is the vector */
{
	ck_assert_msg(check(vectors[_i].text) == vectors[_i].is_plain, "%s", vectors[_i].text);
}
END_TEST

/* Texts of pieces that are mostly in order, some of them damaged by a byte. */
START_TEST(no_text_has_another_value)
{
	static const char *const pieces[] = {
		"{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "\"user\"", "1", "-2", "3.5",
		"1e3", "true", "false", "null", " ", "\n", "\"a\": 1", "\"b\": [1, 2]",
		"{\"c\": 0.25}", "[\"x\"]", "\"\\n\"", "\"\xc3\xa9\"", "0", "00", "-", ".", "e",
	};
	struct unit_random random = { (uint64_t)_i + 1 };
	size_t plain = 0;

	for (int round = 0; round < ROUNDS; round++) {
		char text[256] = "";
		const char *begin = unit_random_below(&random, 2) ? "{\"k\": " : "[";

		strcat(text, begin);
		for (uint32_t i = unit_random_below(&random, 4); i < 4; i++) {
			strcat(text, pieces[unit_random_below(&random, UNIT_COUNT(pieces))]);
			strcat(text, i < 3 ? unit_random_below(&random, 2) ? ", " : ", \"k2\": "
					   : "");
		}
		strcat(text, *begin == '{' ? "}" : "]");
		if (!unit_random_below(&random, 4))
			text[unit_random_below(&random, (uint32_t)strlen(text))] =
				(char)(1 + unit_random_below(&random, 255));
		plain += check(text);
	}
	ck_assert_msg(plain > ROUNDS / 50, "only %zu texts were plain", plain);
}
END_TEST

START_TEST(a_decimal_comma_changes_nothing)
{
	const char *at = "[1.5,2]";

	if (!unit_use_decimal_comma())
		return;
	ck_assert(!json_plain_read(&at));	/* jansson knows the point of the locale */
	ck_assert(check("[1,5]"));
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_loop_test(tests, plain_values_are_those_of_jansson, 0, UNIT_COUNT(vectors));
	tcase_add_loop_test(tests, no_text_has_another_value, 0, 4);
	tcase_add_test(tests, a_decimal_comma_changes_nothing);
}

int main(void)
{
	return unit_run("json_plain", add_tests);
}
