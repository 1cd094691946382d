/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/report_series.h"

#include "memory/need_memory.h"
#include "report/report_numbers.h"

#include <math.h>

static size_t count_groups(const json_t *values, size_t group)
{
	return (json_array_size(values) + group - 1) / group;
}

/* Returns the mean of a group; NAN: none of its values is known. */
static double mean_of(const json_t *values, size_t group, size_t which)
{
	size_t count = 0, end = (which + 1) * group;
	double sum = 0;

	for (size_t i = which * group; i < end && i < json_array_size(values); i++) {
		const json_t *value = json_array_get(values, i);

		sum += json_number_value(value);
		count += json_is_number(value);
	}
	return count ? sum / (double)count : NAN;
}

json_t *series_reduce(const json_t *values, size_t group)
{
	json_t *means = need_made(json_array());

	for (size_t i = 0; i < count_groups(values, group); i++) {
		double mean = mean_of(values, group, i);

		need_done(json_array_append_new(means, isnan(mean) ? json_null()
								   : json_real(mean)));
	}
	return means;
}

double series_most(const json_t *values, size_t group)
{
	double most = 0;

	for (size_t i = 0; i < count_groups(values, group); i++)
		most = fmax(most, mean_of(values, group, i));
	return most;
}

static void put_digits(char text[2], double part)
{
	long step = isnan(part) ? -1 : lround(SERIES_STEPS * fmin(fmax(part, 0), 1));

	text[0] = step < 0 ? '-' : numbers_digit((unsigned int)step / 64);
	text[1] = step < 0 ? '-' : numbers_digit((unsigned int)step);
}

json_t *series_pack(const json_t *values, size_t group, double most)
{
	size_t count = count_groups(values, group);
	char *text = need_zeros(2 * count, 1);
	json_t *packed;

	for (size_t i = 0; i < count; i++)
		put_digits(text + 2 * i, most > 0 ? mean_of(values, group, i) / most
						  : mean_of(values, group, i));
	packed = need_made(json_stringn(text, 2 * count));
	need_free(text);
	return packed;
}
