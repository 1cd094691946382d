/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises a document by its "format", and lets the reader of this format reduce it; writes the
 * page, with the data in place of its line "@data@". */
#include "report/report_private.h"

#include "report/report.h"

#define DATA_MARK "@data@\n"
#define DIGITS 6	/* of numbers; the page shows four at most */

/* ---- documents ---------------------------------------------------------------------- */

#define VERSION 1	/* of all formats */

static const struct { const char *name; reduce_document *reduce; } formats[] = {
	{ "fathom-shares", reduce_shares }, { "fathom-replay", reduce_replay },
	{ "fathom-history", reduce_history },
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(*formats))

const char *report_document_name(const void *context, size_t index)
{
	(void)context;
	return index < FORMAT_COUNT ? formats[index].name : NULL;
}

json_t *report_document_read(struct document *input)
{
	json_error_t wrong;
	json_t *document = json_loadb(input->text, input->length, 0, &wrong);
	const char *format = json_string_value(json_object_get(document, "format"));
	size_t i = 0;

	while (format && i < FORMAT_COUNT && strcmp(formats[i].name, format))
		i++;
	if (!document)
		wrong_at(input, wrong.line > 0 ? (size_t)wrong.line : 0, "is not JSON: %s",
			 wrong.text);
	if (!format || i == FORMAT_COUNT)
		wrong_at(input, 0, "\"format\" must be %s",
			 need_list((struct name_list){ .at = report_document_name }, " or ", 128));
	if (json_integer_value(json_object_get(document, "version")) != VERSION)
		wrong_at(input, 0, "\"version\" must be %d", VERSION);
	return formats[i].reduce(input, document);
}

/* ---- the page ----------------------------------------------------------------------- */

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
