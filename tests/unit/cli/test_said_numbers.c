/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as a person would say them. */
#include "../unit.h"

#include "cli/explain/said_numbers.h"

static const struct {
	const char *(*say)(double number);
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
	{ say_at_most, 92.78, "92" },
	{ say_at_most, 177.9, "177" },
	{ say_at_most, 99.9, "99" },
	{ say_at_most, 0.29, "0.29" },
	{ say_at_most, 0, "0" },
	{ say_count, 4283.4, "4,283" },
	{ say_count, 999, "999" },
	{ say_count, 4294967295., "4,294,967,295" },
	{ say_count, -2835, "-2,835" },
	{ say_count, -835, "-835" },
	{ say_count, -0.2, "0" },
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
	{ say_duration, 3570, "1 hour" },
	{ say_duration, 1829, "30 minutes" },
	{ say_duration, 1830, "31 minutes" },
	{ say_duration, 86399, "1 day" },
	{ say_duration, 271000, "3 days 3 hours" },
	{ say_duration, 86400 * 30. - 1, "30 days" },
	{ say_duration, 86400 * 91.95, "92 days" },
	{ say_duration, 86400 * 400. + 7200, "400 days" },
	{ say_percent, 4e-19, "0 %" },
};

TEST_EACH(number_is_said, vectors)
{
	ck_assert_str_eq(vectors[_i].say(vectors[_i].number), vectors[_i].said);
}

static const struct {
	say_with_digits *say;
	double number;
	int digits;
	const char *said;
} by_digits[] = {
	{ say_factor, 1, USUAL_DIGITS, "1" },
	{ say_factor, 0.9999, USUAL_DIGITS, "just below 1" },
	{ say_factor, 0.125, USUAL_DIGITS, "0.125" },
	{ say_factor, 0.416667, 5, "0.41667" },
	{ say_digits, 19635.212, 7, "19,635.21" },
	{ say_digits, 0.00004912, 3, "0.0000491" },
	{ say_digits, 20408, 3, "20,400" },
	{ say_points, 19635.212, USUAL_DIGITS, "19,635" },
	{ say_points, 19635.212, 6, "19,635.2" },
	{ say_times_share, 0, USUAL_DIGITS, "nothing" },
	{ say_times_share, 0.42, USUAL_DIGITS, "42 % of its share" },
	{ say_times_share, 5.4e-20, USUAL_DIGITS, "0 % of its share" },
	{ say_times_share, 1.02, USUAL_DIGITS, "about its share" },
	{ say_times_share, 20408, USUAL_DIGITS, "20,000 times its share" },
	{ say_times_share, NAN, USUAL_DIGITS, "an unknown part of its share" },
	{ say_times_share, 1.0234, 3, "1.023 times its share" },
	{ say_times_share, 0.99321, 3, "99.3 % of its share" },
	{ say_times_share, 1, 3, "exactly its share" },
};

TEST_EACH(number_is_said_with_digits, by_digits)
{
	ck_assert_str_eq(by_digits[_i].say(by_digits[_i].number, by_digits[_i].digits),
			 by_digits[_i].said);
}

static const struct { say_with_digits *say; double one, other; int digits; } apart[] = {
	{ say_factor, 0.41, 0.43, USUAL_DIGITS },
	{ say_factor, 0.412, 0.413, 3 },
	{ say_factor, 0.41234, 0.41235, 5 },
	{ say_factor, 0.4, 0.4, USUAL_DIGITS },
	{ say_points, 19635.2, 19635.4, 6 },
	{ say_times_share, 1.01, 1.02, 3 },
	{ say_times_share, 0.999, 1, 3 },
	{ say_digits, 0.1, 0.1 + 1e-17, USUAL_DIGITS },
	{ say_digits, 1, 1 + 1e-15, USUAL_DIGITS },
	{ say_digits, INFINITY, 3, USUAL_DIGITS },
};

TEST_EACH(digits_tell_two_numbers_apart, apart)
{
	ck_assert_int_eq(said_digits(apart[_i].say, apart[_i].one, apart[_i].other),
			 apart[_i].digits);
}

static const struct { double number; const char *noun, *said; } counted[] = {
	{ 0, "second", "0 seconds" }, { 1, "second", "1 second" }, { 2, "user", "2 users" },
	{ 0.9999, "second", "1 second" }, { 20000, "share", "20,000 shares" },
};

TEST_EACH(noun_follows_its_count, counted)
{
	ck_assert_str_eq(say_counted(counted[_i].number, counted[_i].noun),
			 counted[_i].said);
}

static const struct { size_t number; const char *said; } ordinals[] = {
	{ 1, "1st" }, { 2, "2nd" }, { 3, "3rd" }, { 4, "4th" }, { 11, "11th" }, { 12, "12th" },
	{ 13, "13th" }, { 21, "21st" }, { 111, "111th" }, { 1002, "1,002nd" },
};

TEST_EACH(ordinal_is_said, ordinals)
{
	ck_assert_str_eq(say_ordinal(ordinals[_i].number), ordinals[_i].said);
}
