/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the page, with the data in place of its line "@data@". */
#include "report/report_private.h"

#include "report/report.h"

#define DATA_MARK "@data@\n"
#define DIGITS 6	/* of numbers; the page shows four at most */

/* Writes JSON for a <script> element. HTML ends the element at "</script>", and reads it in another
 * way after "<!--", so these characters are escaped. Outside of strings JSON has none of them. */
static void write_json(FILE *out, const char *json)
{
	for (; *json; json++)
		if (strchr("<>&", *json))
			fprintf(out, "\\u%04x", (unsigned char)*json);
		else
			putc_unlocked(*json, out);
}

void report_write(FILE *out, const struct report_head *head, json_t *documents)
{
	const char *mark = strstr(report_page, DATA_MARK);
	json_t *data = need_made(json_pack("{s:s, s:s, s:s, s:O}", "title", head->title, "version",
					   head->version, "made", head->day, "documents",
					   documents));

	fwrite(report_page, 1, (size_t)(mark - report_page), out);
	write_json(out, need_made(json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS))));
	fputs(mark + strlen(DATA_MARK) - 1, out);	/* from the line's end on */
}
