/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Documents of which a report is made: what the page needs of them. */
#ifndef REPORT_REPORT_DOCUMENTS_H
#define REPORT_REPORT_DOCUMENTS_H

#include "fathom.h"

#include <jansson.h>
#include <stddef.h>

/*
 * Reads a document that `fathom shares --json` has printed, which becomes
 *
 *	{"format": "fathom-shares", "time": 1700000000 or null,
 *	 "policies": [{"name": "classic"}, ...],
 *	 "rows": [{"id", "parent", "account", "user", "raw",
 *		   "usage": [...], "factor": [...], "rank": [...]}, ...]}
 *
 * with an element of usage, factor and rank for each policy; the root comes first, and parents
 * before children. NULL: EINVAL, error->row is the line, or
 * FATHOM_NO_ROW; ENOMEM.
 */
json_t *report_document_read(const char *text, size_t length, struct fathom_error *error);
/* Returns the name of a format that can be read; NULL: there are not as many. */
const char *report_document_name(size_t index);

/* A format: its name, and the function that takes from a document what the page needs. NULL:
 * EINVAL, ENOMEM. */
struct report_format {
	const char *name;
	int version;
	json_t *(*reduce)(const json_t *document, struct fathom_error *error);
};

#define REPORT_FORMAT(name) extern const struct report_format report_format_##name;
#include "report/report_formats.h"
#undef REPORT_FORMAT

#endif
