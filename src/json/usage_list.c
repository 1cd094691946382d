/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes lists of usage; usage_list.h shows one. Entries are read and checked one by one,
 * then sorted by account, user and partition: to find one by bisection, and to refuse an owner with
 * two entries.
 */
#include "json/usage_list.h"

#include "core/array.h"
#include "core/error.h"
#include "json/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_MAX 253402300799.0	/* the end of 9999 */

/* ---- parts of documents ------------------------------------------------------------ */

/* A document that is being read. */
struct reading {
	const struct json_text_document *document;
	bool has_format, has_version;	/* they have been read, and are right */
};

/* Reads "format" or "version", and leaves other members to the document's function. */
static int read_member(struct json_text *json, const char *key, void *into)
{
	struct reading *reading = into;
	const struct json_text_document *document = reading->document;
	const char *format;
	double version;

	if (!strcmp(key, "format")) {
		if (json_text_string(json, &format))
			return -1;
		reading->has_format = format && !strcmp(format, document->format);
		if (reading->has_format)
			return 0;
		return fathom_error_set(json->error, EINVAL, "\"format\" is \"%.48s\", must be "
					"\"%s\"", format ? format : "null", document->format);
	}
	if (strcmp(key, "version"))
		return document->read(json, key, document->into);
	if (json_text_number(json, &version))
		return -1;
	reading->has_version = version == 1;
	return reading->has_version ? 0 : json_text_wrong(json, key, "must be 1");
}

int json_text_document_read(const struct json_text_document *document, struct json_text *json)
{
	struct reading reading = { .document = document };

	if (json_text_members(json, read_member, &reading) || json_text_finish(json))
		return -1;
	if (reading.has_format && reading.has_version)
		return 0;
	return fathom_error_set(json->error, EINVAL, "must begin with {\"format\": \"%s\", "
				"\"version\": 1", document->format);
}

int json_text_time(struct json_text *json, const char *key, int64_t *time)
{
	double value;

	if (json_text_number(json, &value))
		return -1;
	if (value < 0 || value > TIME_MAX || value != trunc(value))
		return json_text_wrong(json, key, "must be a time in seconds since 1970");
	*time = (int64_t)value;
	return 0;
}

int usage_owner_read(struct json_text *json, const char *key, struct usage_owner *owner)
{
	const struct { const char *key, **name; } members[] = {
		{ "account", &owner->account }, { "user", &owner->user },
		{ "partition", &owner->partition },
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		if (strcmp(key, members[i].key))
			continue;
		if (json_text_string(json, members[i].name))
			return -1;
		if (*members[i].name && !**members[i].name)
			return json_text_wrong(json, key, "must have at least one character");
		return 0;
	}
	return 1;
}

int usage_owner_check(struct json_text *json, const struct usage_owner *owner)
{
	if (!owner->account)
		return json_text_wrong(json, "account", "is missing");
	if (owner->partition && !owner->user)
		return json_text_wrong(json, "partition", "is of an account, must be of a user");
	return 0;
}

/* ---- the order of entries ------------------------------------------------------------ */

/* Compares as strcmp() does; NULL comes first. */
static int compare_names(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Compares two entries by their owners. */
static int compare_owners(const void *a, const void *b)
{
	const struct usage_owner *first = &((const struct usage_entry *)a)->owner;
	const struct usage_owner *second = &((const struct usage_entry *)b)->owner;
	int order = strcmp(first->account, second->account);

	if (!order)
		order = compare_names(first->user, second->user);
	return order ? order : compare_names(first->partition, second->partition);
}

const struct usage_entry *usage_list_find(const struct usage_list *list,
					  const struct usage_owner *owner)
{
	const struct usage_entry wanted = { .owner = *owner };

	if (!list->count)
		return NULL;
	return bsearch(&wanted, list->entry, list->count, sizeof(wanted), compare_owners);
}

bool usage_list_has_resource(const struct usage_list *list, enum fathom_resource resource)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->entry[i].has_resource[resource])
			return true;
	return false;
}

/* Sorts the entries. -1: an owner has two. */
static int sort(struct json_text *json, struct usage_list *list)
{
	const struct usage_entry *entry = list->entry;

	if (list->count)
		qsort(list->entry, list->count, sizeof(*list->entry), compare_owners);
	for (size_t i = 1; i < list->count; i++) {
		const struct usage_owner *owner = &entry[i].owner;

		if (compare_owners(&entry[i - 1], &entry[i]))
			continue;
		json->line = entry[i].line > entry[i - 1].line ? entry[i].line : entry[i - 1].line;
		return owner->user
			? fathom_error_set(json->error, EINVAL, "user '%.64s' in account '%.64s' "
					   "has two entries", owner->user, owner->account)
			: fathom_error_set(json->error, EINVAL, "account '%.64s' has two entries",
					   owner->account);
	}
	return 0;
}

/* ---- reading --------------------------------------------------------------------------- */

/* Reads the number that is the value of a key, and must be 0 or more. */
static int read_amount(struct json_text *json, const char *key, double *amount)
{
	if (json_text_number(json, amount))
		return -1;
	if (*amount >= 0)
		return 0;
	return json_text_wrong(json, key, "must be a number of 0 or more");
}

/* Reads one member of an entry; each key must be known. */
static int read_entry_member(struct json_text *json, const char *key, void *into)
{
	struct usage_entry *entry = into;
	int status = usage_owner_read(json, key, &entry->owner);

	if (status <= 0)	/* it was a key of the owner */
		return status;
	if (!strcmp(key, "usage"))
		return read_amount(json, key, &entry->usage);
	for (size_t i = 0; i < FATHOM_RESOURCE_COUNT; i++) {
		if (strcmp(key, fathom_resource_name((enum fathom_resource)i)))
			continue;
		entry->has_resource[i] = true;
		if (i == FATHOM_ADJUSTMENT)	/* may be negative */
			return json_text_number(json, &entry->amount[i]);
		return read_amount(json, key, &entry->amount[i]);
	}
	return json_text_wrong(json, key, "is no key of an entry");
}

/* Adds an entry, which must have an account and usage. */
static int read_entry(struct json_text *json, void *into)
{
	struct usage_list *list = into;
	struct usage_entry *entry = array_append(&list->entry, &list->count, sizeof(*entry));

	if (!entry)
		return fathom_error_no_memory(json->error);
	entry->usage = -1;	/* not given */
	if (json_text_members(json, read_entry_member, entry) ||
	    usage_owner_check(json, &entry->owner))
		return -1;
	if (entry->usage < 0)
		return json_text_wrong(json, "usage", "is missing");
	entry->line = json->line;
	return 0;
}

/* Reads one member of the document; unknown ones are ignored. */
static int read_list_member(struct json_text *json, const char *key, void *into)
{
	struct usage_list *list = into;

	if (!strcmp(key, "time")) {
		list->has_time = true;
		return json_text_time(json, key, &list->time);
	}
	if (!strcmp(key, "cluster"))
		return json_text_string(json, &list->cluster);
	if (strcmp(key, "usage"))
		return json_text_ignore(json);
	if (list->has_usage)
		return json_text_wrong(json, key, "is given twice");
	list->has_usage = true;
	return json_text_elements(json, read_entry, list);
}

/* Reads the whole document, and sorts the entries. */
static int read_document(struct json_text *json, struct usage_list *list)
{
	const struct json_text_document document = { USAGE_LIST_FORMAT, read_list_member, list };

	if (json_text_document_read(&document, json))
		return -1;
	if (!list->has_usage)
		return json_text_wrong(json, "usage", "is missing");
	return sort(json, list);
}

int usage_list_read(struct usage_list *list, char *text, size_t length, unsigned *line,
		    struct fathom_error *error)
{
	struct json_text json = json_text_begin(text, length, error);
	int status;

	*list = (struct usage_list){ 0 };
	status = read_document(&json, list);
	*line = json.line;
	if (status)
		usage_list_clear(list);
	return status;
}

void usage_list_clear(struct usage_list *list)
{
	free(list->entry);
	*list = (struct usage_list){ 0 };
}

struct usage_owner usage_owner_of(const struct snapshot *names, const struct fathom_tree *tree,
				  size_t node)
{
	bool is_user = fathom_tree_kind(tree, node) == FATHOM_USER;
	size_t account = is_user ? fathom_tree_parent(tree, node) : node;

	return (struct usage_owner){
		/* node 0 is the root, whose name may be missing or another one */
		.account = account ? snapshot_name(names, account) : USAGE_LIST_ROOT,
		.user = is_user ? snapshot_name(names, node) : NULL,
		.partition = snapshot_partition(names, node),
	};
}

void usage_owner_text(const struct usage_owner *owner, char *text, size_t size)
{
	if (!owner->user)
		snprintf(text, size, "account %.100s", owner->account);
	else
		snprintf(text, size, "user %.100s in account %.100s%s%.100s", owner->user,
			 owner->account, owner->partition ? ", partition " : "",
			 owner->partition ? owner->partition : "");
}

/* ---- writing --------------------------------------------------------------------------- */

void usage_list_begin(FILE *out, const char *cluster, const int64_t *time)
{
	json_begin(out, USAGE_LIST_FORMAT, 1);
	if (cluster)
		json_put_text_key(out, "cluster", cluster);
	if (time) {
		json_print(out, ", \"time\": %lld", (long long)*time);
		json_put_instant_key(out, "time_iso", (double)*time);
	}
	json_put(out, ",\n \"usage\": [");
}

void usage_owner_put(FILE *out, const struct usage_owner *owner, bool *more)
{
	json_print(out, *more ? ",\n {\"account\": %s, \"user\": %s"
			      : "\n {\"account\": %s, \"user\": %s",
		   owner->account, owner->user);
	*more = true;
	if (owner->partition)
		json_put_text_key(out, "partition", owner->partition);
}

void usage_list_put(FILE *out, const struct usage_owner *owner, double usage, bool *more)
{
	usage_owner_put(out, owner, more);
	json_put_number_key(out, "usage", usage);
}

void usage_list_end(FILE *out)
{
	json_put(out, "]}\n");
}
