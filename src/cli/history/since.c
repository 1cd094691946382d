/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the time of --since. */
#include "cli/history/since.h"

#include "cli/complain.h"
#include "core/duration.h"
#include "days/local_day.h"

#include <string.h>
#include <time.h>

/* Reads a date, perhaps with a time of day, as local time. Returns false if it is no date; *time
 * may be set then. mktime() turns the 30th of February into a day of March, which is refused. */
static bool read_date(const char *text, time_t *time)
{
	static const char *const formats[] = { "%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S",
					       NULL };

	for (size_t i = 0; formats[i]; i++) {
		struct tm local = { .tm_isdst = -1 };
		const char *end = strptime(text, formats[i], &local);
		int day = local.tm_mday;

		if (!end || *end)
			continue;
		*time = mktime(&local);
		return local.tm_mday == day;
	}
	return false;
}

void option_since(const struct option_row *row, void *member, const char *value)
{
	struct fathom_error error;
	time_t *since = member;
	double seconds;

	if (!strcmp(value, "today"))
		*since = local_midnight(time(NULL), 0);
	else if (!strcmp(value, "yesterday"))
		*since = local_midnight(time(NULL), -1);
	else if (!duration_parse(value, &seconds, &error) && seconds < 0x1p40)
		*since = time(NULL) - (time_t)seconds;
	else if (!read_date(value, since))
		refuse("--%s: '%s' is no time, must be such as yesterday, 7d or 2026-11-01",
		       row->name, value);
	if (!*since)
		*since = 1;	/* 0 says that the option was not given */
}
