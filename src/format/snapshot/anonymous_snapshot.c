/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks over the document and replaces each text by the key that it stands under. Keys that are in
 * no table keep no text, so that a part that is added to snapshots shows no name by mistake.
 */
#include "format/snapshot/anonymous_snapshot.h"

#include "document/document.h"
#include "format/snapshot/anonymous_names.h"
#include "memory/need_memory.h"

#include <jansson.h>
#include <string.h>

#define IN_SHARES " \t,[]()@"

/* What a text is: a name, a text with names, or neither. */
enum text_kind { TEXT_NAME, TEXT_SHARES, TEXT_CONF, TEXT_PLAIN };

static const struct text_key {
	const char *key;
	enum text_kind text;
	enum name_kind kind;	/* of names */
} text_keys[] = {
	{ "account", TEXT_NAME, NAME_ACCOUNT },
	{ "parent", TEXT_NAME, NAME_ACCOUNT },
	{ "user", TEXT_NAME, NAME_USER },
	{ "partition", TEXT_NAME, NAME_PARTITION },
	{ "partitions", TEXT_NAME, NAME_PARTITION },
	{ "master_queue", TEXT_NAME, NAME_PARTITION },
	{ "qos", TEXT_NAME, NAME_QOS },
	{ "pool", TEXT_NAME, NAME_POOL },
	{ "members", TEXT_NAME, NAME_ANY },
	{ "hosts", TEXT_NAME, NAME_HOST },
	{ "cluster", TEXT_NAME, NAME_CLUSTER },
	{ "user_shares", TEXT_SHARES, NAME_ANY },
	{ "fathom_conf", TEXT_CONF, NAME_ANY },
	{ "slurm_conf", TEXT_CONF, NAME_ANY },
	{ "format", TEXT_PLAIN, NAME_ANY },
	{ "time_iso", TEXT_PLAIN, NAME_ANY },
	{ "policy", TEXT_PLAIN, NAME_ANY },
	{ "tie_mode", TEXT_PLAIN, NAME_ANY },
	{ "settings", TEXT_PLAIN, NAME_ANY },
	{ "kind", TEXT_PLAIN, NAME_ANY },
	{ "dispatch_order", TEXT_PLAIN, NAME_ANY },
	{ "state", TEXT_PLAIN, NAME_ANY },
	{ "reason", TEXT_PLAIN, NAME_ANY },
	{ "shares", TEXT_PLAIN, NAME_ANY },	/* of a node: "parent" */
	{ "raw_shares", TEXT_PLAIN, NAME_ANY },
	{ "level_fs", TEXT_PLAIN, NAME_ANY },	/* "inf" */
};

/* What "name" is in the objects of a list. */
static const struct {
	const char *list;
	enum name_kind kind;
} named_lists[] = {
	{ "nodes", NAME_ACCOUNT }, { "partitions", NAME_PARTITION }, { "qos", NAME_QOS },
	{ "queues", NAME_PARTITION }, { "scopes", NAME_SCOPE }, { "user_groups", NAME_GROUP },
};

/* Where a value stands: its key, and that of the list or object around it. */
struct place {
	const char *key, *around;
	bool is_user;		/* the object is a node of the kind "user" */
};

static struct piece piece_of_json(const json_t *text)
{
	return (struct piece){ json_string_value(text), json_string_length(text) };
}

/* ---- texts -------------------------------------------------------------------------- */

static const struct text_key *find_key(const char *key)
{
	for (size_t i = 0; i < sizeof(text_keys) / sizeof(*text_keys); i++)
		if (!strcmp(text_keys[i].key, key))
			return &text_keys[i];
	return NULL;
}

/* Returns the kind of the text under "name", NAME_ANY if the list is in no table. */
static enum name_kind kind_of_name(const struct place *place)
{
	for (size_t i = 0; i < sizeof(named_lists) / sizeof(*named_lists); i++)
		if (!strcmp(named_lists[i].list, place->around))
			return place->is_user && !i ? NAME_USER : named_lists[i].kind;
	return NAME_ANY;
}

static json_t *value_of(const char *text)
{
	return need_made(json_string(text));
}

/* Returns the value that takes the place of a text. */
static json_t *new_text(struct anonymous_names *names, const struct place *place, json_t *value)
{
	const struct text_key *key = find_key(place->key);
	const char *text = json_string_value(value);

	if (!strcmp(place->key, "name"))
		return value_of(anonymous_name(names, kind_of_name(place), piece_of_json(value)));
	if (!key && (!strcmp(place->around, "settings") || !strcmp(text, "inf")))
		return json_incref(value);
	if (!key)
		return json_null();
	if (key->text == TEXT_NAME)
		return value_of(anonymous_name(names, key->kind, piece_of_json(value)));
	if (key->text == TEXT_CONF)
		return value_of(anonymous_conf(names, text));
	if (key->text == TEXT_SHARES)
		return value_of(anonymous_text(names, key->kind, text, IN_SHARES));
	return json_incref(value);
}

/* ---- the document ------------------------------------------------------------------- */

static json_t *rename_value(struct anonymous_names *names, const struct place *place,
			    json_t *value);

static void rename_object(struct anonymous_names *names, const struct place *place, json_t *object)
{
	const char *kind = json_string_value(json_object_get(object, "kind"));
	struct place inner = { .around = place->key, .is_user = kind && !strcmp(kind, "user") };
	json_t *value;
	void *next;

	json_object_foreach_safe(object, next, inner.key, value)
		need_done(json_object_set_new(object, inner.key,
					      rename_value(names, &inner, value)));
}

/* Returns what takes a value's place: it may be the value itself, which has been changed. */
static json_t *rename_value(struct anonymous_names *names, const struct place *place, json_t *value)
{
	json_t *element;
	size_t i;

	if (json_is_string(value))
		return new_text(names, place, value);
	if (json_is_object(value))
		rename_object(names, place, value);
	json_array_foreach(value, i, element)
		need_done(json_array_set_new(value, i, rename_value(names, place, element)));
	return json_incref(value);
}

void anonymous_snapshot_write(FILE *out, const char *text, size_t length)
{
	const struct place top = { "", "", false };
	json_error_t wrong;
	json_t *document = json_loadb(text, length, 0, &wrong);

	if (!document)
		wrong_at(NULL, 0, "not JSON: %.200s", wrong.text);
	json_decref(rename_value(anonymous_names_create(), &top, document));
	need_done(json_dumpf(document, out, JSON_INDENT(1)));
	fputc('\n', out);
	json_decref(document);
}
