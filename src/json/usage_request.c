/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes requests to change usage; usage_request.h shows one. */
#include "json/usage_request.h"

#include "core/array.h"
#include "core/error.h"
#include "json/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "fathom-usage-request"

/* The keys of actions. */
static const char *const actions[] = { [USAGE_ASSIGN] = "assign", [USAGE_SCALE] = "scale",
				       [USAGE_RESET] = "reset" };

/* ---- reading --------------------------------------------------------------------------- */

/* A change while its object is read. */
struct change_reader {
	struct usage_change change;
	unsigned action_count;	/* keys among `actions` that the object has; must be 1 */
};

/* Reads one member of a change; each key must be known. */
static int read_change_member(struct json_text *json, const char *key, void *into)
{
	struct change_reader *reader = into;
	int status = usage_owner_read(json, key, &reader->change.owner);

	if (status <= 0)	/* it was a key of the owner */
		return status;
	for (size_t i = 0; i < USAGE_ACTION_COUNT; i++) {
		if (strcmp(key, actions[i]))
			continue;
		reader->action_count++;
		reader->change.action = (enum usage_action)i;
		if (json_text_number(json, &reader->change.value))
			return -1;
		if (i == USAGE_RESET && reader->change.value != 0)
			return json_text_wrong(json, key, "must be 0");
		if (reader->change.value < 0)
			return json_text_wrong(json, key, "must be a number of 0 or more");
		return 0;
	}
	return json_text_wrong(json, key, "is no key of a change");
}

/* Adds a change, which must have exactly one action. */
static int read_change(struct json_text *json, void *into)
{
	struct usage_request *request = into;
	struct change_reader reader = { .action_count = 0 };
	struct usage_change *added;

	if (json_text_members(json, read_change_member, &reader) ||
	    usage_owner_check(json, &reader.change.owner))
		return -1;
	if (reader.action_count != 1)
		return fathom_error_set(json->error, EINVAL, "a change has %u of 'assign', 'scale' "
					"and 'reset', must have one", reader.action_count);
	added = array_append(&request->change, &request->count, sizeof(*added));
	if (!added)
		return fathom_error_no_memory(json->error);
	*added = reader.change;
	return 0;
}

/* Reads one member of the request; each key must be known. */
static int read_member(struct json_text *json, const char *key, void *into)
{
	struct usage_request *request = into;

	if (!strcmp(key, "time"))
		return json_text_time(json, key, &request->time);
	if (!strcmp(key, "id"))
		return json_text_string(json, &request->id);
	if (!strcmp(key, "by"))
		return json_text_string(json, &request->by);
	if (!strcmp(key, "host"))
		return json_text_string(json, &request->host);
	if (!strcmp(key, "changes"))
		return json_text_elements(json, read_change, request);
	return json_text_wrong(json, key, "is no key of a request");
}

/* Reads the whole request, which must have all its members. */
static int read_document(struct json_text *json, struct usage_request *request)
{
	const struct json_text_document document = { FORMAT, read_member, request };

	if (json_text_document_read(&document, json))
		return -1;
	if (!request->id || !request->by || !request->host || !request->time || !request->count)
		return fathom_error_set(json->error, EINVAL,
					"must have 'id', 'time', 'by', 'host' and 'changes'");
	return 0;
}

int usage_request_read(struct usage_request *request, char *text, size_t length, unsigned *line,
		       struct fathom_error *error)
{
	struct json_text json = json_text_begin(text, length, error);
	int status;

	*request = (struct usage_request){ 0 };
	status = read_document(&json, request);
	*line = json.line;
	if (status)
		usage_request_clear(request);
	return status;
}

void usage_request_clear(struct usage_request *request)
{
	free(request->change);
	*request = (struct usage_request){ 0 };
}

/* ---- writing --------------------------------------------------------------------------- */

void usage_request_write(const struct usage_request *request, FILE *out)
{
	bool more = false;

	json_begin(out, FORMAT, 1);
	json_print(out, ", \"id\": %s, \"time\": %g, \"by\": %s, \"host\": %s,\n \"changes\": [",
		   request->id, (double)request->time, request->by, request->host);
	for (size_t i = 0; i < request->count; i++) {
		const struct usage_change *change = &request->change[i];

		usage_owner_put(out, &change->owner, &more);
		json_put_number_key(out, actions[change->action], change->value);
		json_put(out, "}");
	}
	json_put(out, "]}\n");
}
