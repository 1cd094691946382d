/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page of HTML from documents that other commands print with --json. The page needs no other file
 * and no network. It is src/report/page.html, made at build time with its style, its script and d3;
 * here it only gets the data, which this header describes.
 */
#pragma once

#include "document/document.h"
#include "jobs/jobs.h"

#include <jansson.h>
#include <stdio.h>

/* What a page says of itself. Texts are UTF-8. */
struct report_head {
	const char *title;
	const char *version;	/* of fathom */
	const char *day;	/* on which it is made, such as 2026-11-22 */
};

/* Writes the page. documents: a JSON array of what report_document_read() returned; the caller
 * keeps its reference. The caller checks ferror(). */
void report_write(FILE *out, const struct report_head *head, json_t *documents);

/* ---- report.c --------------------------------------------------------------------------- */

/*
 * Reads a document that another command has printed, and returns what the page needs of it, as a
 * new reference. Fails, see wrong_at(), if the document is not right. input: its text in memory.
 *
 * What `fathom shares --json` prints becomes
 *
 *	{"format": "fathom-shares", "time": 1700000000 or without,
 *	 "policies": [{"name": "classic", "settings": {...}, "usage": NUMBERS, "factor": NUMBERS,
 *		       "rank": NUMBERS}, ...],
 *	 "parent": NUMBERS, "name": ["root", ...], "is_user": NUMBERS, "raw": NUMBERS,
 *	 "partition": {"7": "gpu", ...}}
 *
 * with an element for each association in all lists, parents before children; NUMBERS as in
 * report_private.h; partition names the partitions of associations that have one, by index. If a
 * list of a policy is the same as that of the first policy, it is left out.
 *
 * What `fathom replay --json` prints becomes
 *
 *	{"format": "fathom-replay", "trace": {...}, "scheduler": "easy", "weeks": 52,
 *	 "policies": [{"name": "lsf", "settings", "jobs": 9, "mean_wait": 5, ...,
 *		       "quantiles": NUMBERS, "time": NUMBERS, "wait": NUMBERS,
 *		       "best": ["mean_wait"]}, ...],
 *	 "users": [{"user": "anna", "account": "a", "jobs": 9, "wait": [5, 3, ...]}, ...],
 *	 "accounts": {"account": [...], "share": NUMBERS, "jobs": NUMBERS, "cpu_seconds": NUMBERS,
 *		      "most": NUMBERS, "usage": [["ABC", ...], ...]}}
 *
 * with an element for each account in wait and in the lists of accounts; the accounts that used
 * most come first. users are those whose waits differ most; weeks and best as in report_private.h.
 * usage has a text for each policy, see report_replay.c; if there are too many accounts, only the
 * first ones have usage.
 *
 * What `fathom history --json` prints becomes
 *
 *	{"format": "fathom-history", "policies": [{"name": that of the last day}],
 *	 "lines": [{"name": "physics/anna", "time": [...], "factor": [...], "usage": [...],
 *		    "share": [...]}, ...]}
 *
 * with an element for each day in all lists; usage is the effective usage.
 */
json_t *report_document_read(struct document *input);
/* Returns the name of a format that report_document_read() knows, such as "fathom-replay".
 * index: from 0. NULL: there are no more formats. For struct name_list. */
const char *report_document_name(const void *context, size_t index);

/* ---- report_pending.c ------------------------------------------------------------------ */

/*
 * Returns what the page shows of the pending jobs:
 *
 *	{"jobs": 7, "others": 2, "quantiles": [60, ...],
 *	 "accounts": [{"account": "physics", "jobs": 4, "cpus": 64, "wait": 90, "longest": 120},
 *		      ...]}
 *
 * jobs: how many could start; others: how many are held, depend on other jobs, begin later, or have
 * no submit time. All other members are of the jobs that could start. quantiles: what 0, 1, ... 100
 * percent of them have waited at most since they were submitted, in seconds. accounts: in the order
 * of their first job; cpus: in all; wait and longest: the mean and the longest wait in seconds. A
 * job array that is pending as one job counts as one. The caller owns the result.
 */
json_t *report_pending(const struct jobs *jobs);
