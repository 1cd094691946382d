/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the amounts of TRES in the text GrpTRESRaw. */
#include "cli/used_tres.h"

#include "format/accounting/tres_text.h"

#include <math.h>

/* As Slurm names TRES. */
static const char *const names[] = {
	[USED_CPU] = "cpu", [USED_GPU] = "gres/gpu", [USED_NODE] = "node",
};

double used_tres_minutes(const struct live *live, size_t node, enum used_tres tres)
{
	const char **used = live ? live->text[LIVE_GRP_TRES_RAW] : NULL;
	double minutes = 0;

	if (!used)
		return NAN;
	if (!used[node] || tres_text_count(piece_of(used[node]), names[tres], &minutes) <= 0)
		return 0;
	return minutes;
}
