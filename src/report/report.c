/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts the data into the page. */
#include "report/report.h"

#include "core/error.h"
#include "report/page.h"

#include <stdlib.h>
#include <string.h>

#define DATA_MARK "@data@\n"
#define DIGITS 6	/* of numbers; the page shows four at most */

/* Text in <script> ends at "</script>", and "<!--" changes how it is read. Outside of strings JSON
 * has none of these characters. */
static void write_json(FILE *out, const char *json)
{
	for (; *json; json++)
		if (strchr("<>&", *json))
			fprintf(out, "\\u%04x", (unsigned char)*json);
		else
			putc_unlocked(*json, out);
}

int report_write(FILE *out, const struct report_head *head, json_t *documents,
		 struct fathom_error *error)
{
	const char *mark = strstr(report_page, DATA_MARK);
	json_t *data = json_pack("{s:s, s:s, s:s, s:O}", "title", head->title, "version",
				 head->version, "made", head->day, "documents", documents);
	char *json = data ? json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS)) : NULL;

	json_decref(data);
	if (!json)
		return fathom_error_no_memory(error);
	fwrite(report_page, 1, (size_t)(mark - report_page), out);
	write_json(out, json);
	fputs(mark + strlen(DATA_MARK) - 1, out);
	free(json);
	return 0;
}
