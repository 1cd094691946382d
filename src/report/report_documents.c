/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Recognises a document by its "format", and lets the reader of this format reduce it. */
#include "report/report_private.h"

#include "report/report.h"

static const struct report_format *const formats[] = {
	&report_format_shares, &report_format_replay, &report_format_history,
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(*formats))

const char *report_document_name(size_t index)
{
	return index < FORMAT_COUNT ? formats[index]->name : NULL;
}

/* For struct name_list. */
static const char *name_at(const void *context, size_t i)
{
	(void)context;
	return report_document_name(i);
}

/* Returns the format of a document; NULL: its "format" is missing or not known, or document is
 * NULL. */
static const struct report_format *find_format(const json_t *document)
{
	const char *name = json_string_value(json_object_get(document, "format"));

	for (size_t i = 0; name && i < FORMAT_COUNT; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

json_t *report_document_read(struct document *input)
{
	json_error_t wrong;
	json_t *document = json_loadb(input->text, input->length, 0, &wrong);
	const struct report_format *format = find_format(document);

	if (!document)
		wrong_at(input, wrong.line > 0 ? (size_t)wrong.line : 0, "is not JSON: %s",
			 wrong.text);
	if (!format)
		wrong_at(input, 0, "\"format\" must be %s",
			 need_list((struct name_list){ .at = name_at }, " or ", 128));
	if (json_integer_value(json_object_get(document, "version")) != format->version)
		wrong_at(input, 0, "\"version\" must be %d", format->version);
	return format->reduce(input, document);
}
