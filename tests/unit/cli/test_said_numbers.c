/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as a person would say them. */
#include "../unit.h"

#include "cli/explain/said_numbers.h"

#include <math.h>

static const struct {
	struct said (*say)(double number);
	double number;
	const char *said;
} vectors[] = {
	{ say_number, 0, "0" },
	{ say_number, 0.000049, "0.000049" },
	{ say_number, 0.0000490123, "0.000049" },
	{ say_number, 0.416667, "0.42" },
	{ say_number, 1.125, "1.13" },
	{ say_number, 3, "3" },
	{ say_number, 5.5, "5.5" },
	{ say_number, 40.4, "40" },
	{ say_number, 20408, "20,000" },
	{ say_number, 1.8446744073709552e19, "1.8e+19" },
	{ say_number, INFINITY, "infinite" },
	{ say_number, NAN, "unknown" },
	{ say_number, -2.345, "-2.3" },
	{ say_number, 0.999, "1" },
	{ say_number, 99.9, "100" },
	{ say_number, 1e-12, "1e-12" },
	{ say_count, 4283.4, "4,283" },
	{ say_count, 999, "999" },
	{ say_count, 4294967295., "4,294,967,295" },
	{ say_count, -2835, "-2,835" },
	{ say_count, -835, "-835" },
	{ say_count, -0.2, "0" },
	{ say_factor, 1, "1" },
	{ say_factor, 0.9999, "just below 1" },
	{ say_factor, 0.125, "0.125" },
	{ say_percent, 0.93123, "93 %" },
	{ say_percent, 1, "100 %" },
	{ say_percent, 0.9999, "almost 100 %" },
	{ say_percent, 0.004, "0.4 %" },
	{ say_percent, 0, "0 %" },
	{ say_percent, 1.5, "150 %" },
	{ say_duration, 0, "0 seconds" },
	{ say_duration, 1, "1 second" },
	{ say_duration, 59.6, "1 minute" },
	{ say_duration, 3300, "55 minutes" },
	{ say_duration, 3661, "1 hour 1 minute" },
	{ say_duration, 7199, "2 hours" },
	{ say_duration, 86399, "24 hours" },
	{ say_duration, 271000, "3 days 3 hours" },
	{ say_duration, 86400 * 400. + 7200, "400 days" },
	{ say_times_share, 0, "nothing" },
	{ say_times_share, 0.42, "42 % of its share" },
	{ say_times_share, 1.02, "about its share" },
	{ say_times_share, 20408, "20,000 times its share" },
	{ say_times_share, NAN, "an unknown part of its share" },
};

START_TEST(number_is_said)
{
	ck_assert_str_eq(vectors[_i].say(vectors[_i].number).text, vectors[_i].said);
}
END_TEST

static const struct { size_t number; const char *said; } ordinals[] = {
	{ 1, "1st" }, { 2, "2nd" }, { 3, "3rd" }, { 4, "4th" }, { 11, "11th" }, { 12, "12th" },
	{ 13, "13th" }, { 21, "21st" }, { 111, "111th" }, { 1002, "1,002nd" },
};

START_TEST(ordinal_is_said)
{
	ck_assert_str_eq(say_ordinal(ordinals[_i].number).text, ordinals[_i].said);
}
END_TEST

static void add_tests(TCase *tests)
{
	tcase_add_loop_test(tests, number_is_said, 0, UNIT_COUNT(vectors));
	tcase_add_loop_test(tests, ordinal_is_said, 0, UNIT_COUNT(ordinals));
}

int main(void)
{
	return unit_run("said numbers", add_tests);
}
