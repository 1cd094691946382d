/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks over the document. What becomes of a text depends on the key that it stands under:
 *
 *	"user": "ada"		"user": "user1"
 *	"state": "RUNNING"	stays, as the key is a TEXT_PLAIN
 *	"comment": "for bob"	"comment": null
 *
 * A text under a key that is in no table becomes null, so that a part that is added to snapshots
 * shows no name by mistake.
 */
#include "format/snapshot/anonymous_snapshot.h"

#include "document/document.h"
#include "format/snapshot/anonymous_names.h"
#include "memory/need_memory.h"

#include <jansson.h>
#include <string.h>

/* What a text is. */
enum text_kind {
	TEXT_NAME,
	TEXT_SHARES,	/* assignments such as "[ada, 10]" */
	TEXT_CONF,	/* a fathom.conf or slurm.conf */
	TEXT_PLAIN	/* without names */
};

static const struct text_key {
	const char *key;
	enum text_kind text;
	enum name_kind kind;	/* of a TEXT_NAME or the names of TEXT_SHARES */
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

/* What "name" stands for in the objects of a list. */
static const struct {
	const char *list;
	enum name_kind kind;
} named_lists[] = {
	{ "nodes", NAME_ACCOUNT },	/* must be the first; see kind_of_name() */
	{ "partitions", NAME_PARTITION }, { "qos", NAME_QOS },
	{ "queues", NAME_PARTITION }, { "scopes", NAME_SCOPE }, { "user_groups", NAME_GROUP },
};

/* Where a value stands. Keys are "" at the top. */
struct place {
	const char *key;	/* of the value; elements of a list have that of the list */
	const char *around;	/* the key of the list or object around it */
	bool is_user;		/* the object is a node of the kind "user" */
};

/* Returns a string as a piece, which points into it. */
static struct piece piece_of_json(const json_t *text)
{
	return (struct piece){ json_string_value(text), json_string_length(text) };
}

/* ---- texts -------------------------------------------------------------------------- */

/* Returns what is known of a key; NULL: nothing. */
static const struct text_key *find_key(const char *key)
{
	for (size_t i = 0; i < sizeof(text_keys) / sizeof(*text_keys); i++)
		if (!strcmp(text_keys[i].key, key))
			return &text_keys[i];
	return NULL;
}

/* Returns what "name" stands for at a place; NAME_ANY: not known. Nodes of a tree are users or
 * accounts. */
static enum name_kind kind_of_name(const struct place *place)
{
	for (size_t i = 0; i < sizeof(named_lists) / sizeof(*named_lists); i++)
		if (!strcmp(named_lists[i].list, place->around))
			return place->is_user && !i ? NAME_USER : named_lists[i].kind;
	return NAME_ANY;
}

/* Returns a new value with a text. */
static json_t *value_of(const char *text)
{
	return need_made(json_string(text));
}

/* Returns what a text becomes, as a reference that the caller owns. */
static json_t *new_text(struct anonymous_names *names, const struct place *place, json_t *value)
{
	const struct text_key *key = find_key(place->key);
	const char *text = json_string_value(value);

	if (!strcmp(place->key, "name"))
		return value_of(anonymous_name(names, kind_of_name(place), piece_of_json(value)));
	/* settings of a policy have no names; "inf" is a number */
	if (!key && (!strcmp(place->around, "settings") || !strcmp(text, "inf")))
		return json_incref(value);
	if (!key)
		return json_null();
	if (key->text == TEXT_NAME)
		return value_of(anonymous_name(names, key->kind, piece_of_json(value)));
	if (key->text == TEXT_CONF)
		return value_of(anonymous_conf(names, text));
	if (key->text == TEXT_SHARES)
		return value_of(anonymous_text(names, (struct name_text){ key->kind, IN_NAMES, 2 },
					       text));
	return json_incref(value);
}

/* ---- the document ------------------------------------------------------------------- */

static json_t *rename_value(struct anonymous_names *names, const struct place *place,
			    json_t *value);

/* Replaces the members of an object. */
static void rename_object(struct anonymous_names *names, const struct place *place, json_t *object)
{
	const char *kind = json_string_value(json_object_get(object, "kind"));
	struct place inner = { .around = place->key, .is_user = kind && !strcmp(kind, "user") };
	json_t *value;
	void *next;

	json_object_foreach_safe(object, next, inner.key, value) {
		need_done(json_object_set_new(object, inner.key,
					      rename_value(names, &inner, value)));
	}
}

/* Returns what a value becomes, as a reference that the caller owns. Objects and lists are changed
 * in place, and returned. */
static json_t *rename_value(struct anonymous_names *names, const struct place *place, json_t *value)
{
	json_t *element;
	size_t i;

	if (json_is_string(value))
		return new_text(names, place, value);
	if (json_is_object(value))
		rename_object(names, place, value);
	json_array_foreach(value, i, element) {
		need_done(json_array_set_new(value, i, rename_value(names, place, element)));
	}
	return json_incref(value);
}

void anonymous_snapshot_write(FILE *out, const char *text, size_t length)
{
	const struct place top = { .key = "", .around = "" };
	json_error_t wrong;
	json_t *document = json_loadb(text, length, 0, &wrong);

	if (!document)
		wrong_at(NULL, 0, "not JSON: %.200s", wrong.text);
	/* the object is changed in place, so that the reference is not needed */
	json_decref(rename_value(anonymous_names_create(), &top, document));
	need_done(json_dumpf(document, out, JSON_INDENT(1)));
	fputc('\n', out);
	json_decref(document);
}
