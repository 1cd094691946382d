/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes of usage that fathom usage requests, and the next pass of the plugin makes in this order:
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

/* The file in StateSaveLocation, and the name that a request gets that the plugin refuses. */
#define USAGE_REQUEST_NAME "fathom_usage_request"
#define USAGE_REQUEST_REFUSED USAGE_REQUEST_NAME ".refused"
#define USAGE_REQUEST_SIZE_MAX (1 << 20)	/* bytes */

/* To this many seconds, by this factor, to 0. */
enum usage_action { USAGE_ASSIGN, USAGE_SCALE, USAGE_RESET, USAGE_ACTION_COUNT };

struct usage_change {
	/* A user: all its associations in the account, or that of the partition. An account: all
	 * usage of the account and of its members. */
	struct usage_owner owner;
	enum usage_action action;
	double value;		/* seconds, or a factor */
};

struct usage_request {
	const char *id;		/* so that no two requests are the same */
	const char *by, *host;	/* who requested it, and where */
	int64_t time;
	struct usage_change *change;
	size_t count;
};

/* Reads a file in memory; as usage_list_read(). */
int usage_request_read(struct usage_request *request, char *text, size_t length, unsigned *line,
		       struct fathom_error *error);
void usage_request_clear(struct usage_request *request);
/* Writes the file. The caller checks ferror(). */
void usage_request_write(const struct usage_request *request, FILE *out);
