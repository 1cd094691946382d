/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/used_tres.h"

#include "format/accounting/tres_text.h"

#include <math.h>

double used_tres_minutes(const struct live *live, size_t node, const char *tres)
{
	char **used = live ? live->text[LIVE_GRP_TRES_RAW] : NULL;
	double minutes = 0;

	if (!used)
		return NAN;
	if (!used[node] || tres_text_count(piece_of(used[node]), tres, &minutes) <= 0)
		return 0;
	return minutes;
}
