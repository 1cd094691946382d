/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page of HTML from documents that other commands print with --json. The page needs no other file
 * and no network. It is src/report/page.html, made at build time with its style, its script and d3;
 * here it only gets the data, which report_documents.h describes.
 */
#pragma once

#include <jansson.h>
#include <stdio.h>

/* What a page says of itself. UTF-8. */
struct report_head {
	const char *title;
	const char *version;	/* of fathom */
	const char *day;	/* on which it is made, such as 2026-11-22 */
};

/* Writes the page. documents: a list of what report_document_read() returns. The caller checks
 * ferror(). */
void report_write(FILE *out, const struct report_head *head, json_t *documents);
