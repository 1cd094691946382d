/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Documents of which a report is made: what the page needs of them. */
#pragma once

#include "document/document.h"

#include <jansson.h>
#include <stddef.h>

/*
 * Reads a document in memory that another command has printed. What `fathom shares --json` prints
 * becomes
 *
 *	{"format": "fathom-shares", "time": 1700000000 or without,
 *	 "policies": [{"name": "classic", "settings": {...}, "usage": NUMBERS, "factor": NUMBERS,
 *		       "rank": NUMBERS}, ...],
 *	 "parent": NUMBERS, "name": ["root", ...], "is_user": NUMBERS, "raw": NUMBERS,
 *	 "partition": {"7": "gpu", ...}}
 *
 * with an element for each association in all lists, parents before children; NUMBERS as in
 * report_numbers.h; partition has only those in partitions. A list that a policy lacks is that of
 * the first policy. What `fathom replay --json` prints becomes
 *
 *	{"format": "fathom-replay", "trace": {...}, "scheduler": "easy", "weeks": 52,
 *	 "policies": [{"name": "lsf", "settings", "jobs": 9, "mean_wait": 5, ...,
 *		       "quantiles": NUMBERS, "time": NUMBERS, "wait": NUMBERS,
 *		       "best": ["mean_wait"]}, ...],
 *	 "users": [{"user": "anna", "account": "a", "jobs": 9, "wait": [5, 3, ...]}, ...],
 *	 "accounts": {"account": [...], "share": NUMBERS, "jobs": NUMBERS, "cpu_seconds": NUMBERS,
 *		      "most": NUMBERS, "usage": [["ABC", ...], ...]}}
 *
 * with an element for each account in wait and in the lists of accounts, those that used most
 * first. users are those whose waits differ most; weeks and best as in report_weeks.h. usage has a
 * text for each policy, see report_replay.c; where there are too many, that of the first accounts
 * only. What `fathom history --json` prints becomes
 *
 *	{"format": "fathom-history", "policies": [{"name": that of the last day}],
 *	 "lines": [{"name": "physics/anna", "time": [...], "factor": [...], "usage": [...],
 *		    "share": [...]}, ...]}
 *
 * with an element for each day in all lists; usage is the effective usage.
 */
json_t *report_document_read(struct document *input);
/* Returns the name of a format that can be read; NULL: there are fewer. */
const char *report_document_name(size_t index);

/* A format: its name, and the function that takes from a document what the page needs. */
struct report_format {
	const char *name;
	int version;
	json_t *(*reduce)(struct document *input, const json_t *document);
};

#define REPORT_FORMAT(name) extern const struct report_format report_format_##name;
#include "report/report_formats.h"
#undef REPORT_FORMAT
