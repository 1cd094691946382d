/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/snapshot/anonymous_names.h"

#include "core/array.h"
#include "core/name_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_NEW 32	/* bytes of a new name */

struct renamed {
	char *old, new[MOST_NEW];
};

struct renamed_kind {
	struct renamed **list;
	size_t count, room;
	struct name_index index;	/* from old names to places in the list */
};

struct anonymous_names {
	struct renamed_kind kind[NAME_KIND_COUNT];
};

static const char *const words[NAME_KIND_COUNT] = {
	[NAME_ACCOUNT] = "account", [NAME_USER] = "user", [NAME_PARTITION] = "partition",
	[NAME_QOS] = "qos", [NAME_SCOPE] = "scope", [NAME_POOL] = "pool", [NAME_GROUP] = "group",
	[NAME_HOST] = "host", [NAME_CLUSTER] = "cluster",
};

/* Names that tell nothing: slurmdbd makes them, or they are words of fathom.conf, or of PBS, which
 * gives its group "unknown" shares of its own. */
static const struct {
	enum name_kind kind;
	const char *name;
	bool in_any_case;
} kept[] = {
	{ NAME_ACCOUNT, "root", false }, { NAME_USER, "root", false },
	{ NAME_QOS, "normal", false }, { NAME_ANY, "root", false },
	{ NAME_ANY, "TREEROOT", true }, { NAME_ANY, "others", true },
	{ NAME_ANY, "default", true }, { NAME_ANY, "all", true },
	{ NAME_ACCOUNT, "unknown", false }, { NAME_ANY, "unknown", false },
};

struct anonymous_names *anonymous_names_create(void)
{
	return calloc(1, sizeof(struct anonymous_names));
}

void anonymous_names_destroy(struct anonymous_names *names)
{
	for (size_t i = 0; names && i < NAME_KIND_COUNT; i++) {
		struct renamed_kind *kind = &names->kind[i];

		for (size_t j = 0; j < kind->count; j++) {
			free(kind->list[j]->old);
			free(kind->list[j]);
		}
		free(kind->list);
		name_index_clear(&kind->index);
	}
	free(names);
}

static const char *find_kept(enum name_kind kind, struct piece name)
{
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (kept[i].kind == kind && strlen(kept[i].name) == name.length &&
		    !(kept[i].in_any_case ? strncasecmp : strncmp)(kept[i].name, name.at,
								  name.length))
			return kept[i].name;
	return NULL;
}

static const char *find(const struct anonymous_names *names, enum name_kind kind,
			struct piece name)
{
	size_t at = name_index_get(&names->kind[kind].index, name);

	return at == NAME_INDEX_NONE ? NULL : names->kind[kind].list[at]->new;
}

static const char *add(struct anonymous_names *names, enum name_kind which, struct piece name)
{
	struct renamed_kind *kind = &names->kind[which];
	struct renamed **list = array_grow(kind->list, &kind->room, kind->count + 1, sizeof(*list));
	struct renamed *renamed = list ? calloc(1, sizeof(*renamed)) : NULL;

	if (list)
		kind->list = list;
	if (!renamed)
		return NULL;
	list[kind->count++] = renamed;
	renamed->old = strndup(name.at, name.length);
	snprintf(renamed->new, sizeof(renamed->new), "%s%zu", words[which], kind->count);
	if (!renamed->old || name_index_put(&kind->index, (struct piece){ renamed->old,
					    name.length }, kind->count - 1, NULL))
		return NULL;
	return renamed->new;
}

const char *anonymous_name(struct anonymous_names *names, enum name_kind kind, struct piece name)
{
	bool is_any = kind >= NAME_ANY;
	const char *new = find_kept(is_any ? NAME_ANY : kind, name);

	if (new)
		return new;
	if (!is_any) {
		new = find(names, kind, name);
		return new ? new : add(names, kind, name);
	}
	new = find(names, kind == NAME_ANY_ACCOUNT ? NAME_ACCOUNT : NAME_USER, name);
	for (size_t i = 0; i < NAME_KIND_COUNT && !new; i++)
		new = find(names, (enum name_kind)i, name);
	return new ? new : add(names, NAME_GROUP, name);
}

/* ---- texts ------------------------------------------------------------------------- */

static bool is_number(struct piece word)
{
	return strspn(word.at, "-.0123456789") >= word.length;
}

/* Writes the new name of a word; a number that stands for no name stays. False: ENOMEM. */
static bool put_word(FILE *out, struct anonymous_names *names, enum name_kind kind,
		     struct piece word)
{
	const char *new;

	if (!word.length)
		return true;
	if (kind >= NAME_ANY && is_number(word)) {
		fprintf(out, "%.*s", (int)word.length, word.at);
		return true;
	}
	new = anonymous_name(names, kind, word);
	if (new)
		fputs(new, out);
	return new;
}

char *anonymous_text(struct anonymous_names *names, enum name_kind kind, const char *text,
		     const char *between)
{
	char *made = NULL;
	size_t length;
	FILE *out = open_memstream(&made, &length);
	bool is_done = out;

	while (is_done && *text) {
		struct piece word = { text, strcspn(text, between) };

		is_done = put_word(out, names, kind, word);
		text += word.length;
		for (; *text && strchr(between, *text); text++)
			fputc(*text, out);
	}
	if (out && fclose(out))
		is_done = false;
	if (is_done)
		return made;
	free(made);
	return NULL;
}
