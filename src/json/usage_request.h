/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes of usage: the command "fathom usage" requests them by this file, and the plugin makes
 * them in the next pass, in the order of the list:
 *
 *	{"format": "fathom-usage-request", "version": 1, "id": "8c1f", "time": 1700000000,
 *	 "by": "root", "host": "ctl", "changes": [
 *	 {"account": "physics", "user": "ada", "assign": 3600},
 *	 {"account": "physics", "user": null, "scale": 0.5},
 *	 {"account": "root", "user": null, "reset": 0}]}
 */
#pragma once

#include "json/usage_list.h"

#include <stdio.h>

/* The file in StateSaveLocation; and the name to which the plugin renames a request that it
 * refuses. */
#define USAGE_REQUEST_NAME "fathom_usage_request"
#define USAGE_REQUEST_REFUSED USAGE_REQUEST_NAME ".refused"
#define USAGE_REQUEST_SIZE_MAX (1 << 20)	/* bytes */

enum usage_action {
	USAGE_ASSIGN,	/* make it `value` seconds */
	USAGE_SCALE,	/* multiply it by `value` */
	USAGE_RESET,	/* make it 0; `value` is 0 */
	USAGE_ACTION_COUNT
};

struct usage_change {
	/* Whose usage: of a user, in all its associations in the account, or in that of the
	 * partition; of an account, all usage of the account and of its members. */
	struct usage_owner owner;
	enum usage_action action;
	double value;		/* 0 or more; see enum usage_action */
};

struct usage_request {
	const char *id;		/* so that no two requests are the same */
	const char *by, *host;	/* the user who requested it, and the host */
	int64_t time;		/* of the request, seconds since 1970 */
	struct usage_change *change;
	size_t count;		/* of changes, 1 or more */
};

/* Reads a file in memory. text: is changed, and must stay as long as the request, whose names point
 * into it. *line: the last line that was read. -1: EINVAL, *line is the wrong line; ENOMEM. The
 * request is empty then. */
int usage_request_read(struct usage_request *request, char *text, size_t length, unsigned *line,
		       struct fathom_error *error);
void usage_request_clear(struct usage_request *request);
/* Writes the file. The caller checks ferror(). */
void usage_request_write(const struct usage_request *request, FILE *out);
