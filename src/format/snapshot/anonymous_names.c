/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives names numbers, and writes fathom.conf pair by pair. A key of the table has names in its
 * value:
 *
 *	Scope=gpu Partitions=a,b	# ada's
 *	Scope=scope1 Partitions=partition1,partition2
 */
#include "format/snapshot/anonymous_names.h"

#include "conf/conf_parse.h"
#include "conf/host_list.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct anonymous_names {
	struct numbered_names *kind[NAME_KIND_COUNT];
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
	struct anonymous_names *names = need_object(sizeof(*names));

	for (size_t i = 0; i < NAME_KIND_COUNT; i++)
		names->kind[i] = need_names();
	return names;
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

static bool is_known(const struct anonymous_names *names, enum name_kind kind, struct piece name)
{
	return name_index_get(&names->kind[kind]->index, name) != NAME_INDEX_NONE;
}

/* Returns what a name stands for already, else a group. */
static enum name_kind find_kind(const struct anonymous_names *names, enum name_kind first,
				struct piece name)
{
	if (is_known(names, first, name))
		return first;
	for (size_t i = 0; i < NAME_KIND_COUNT; i++)
		if (is_known(names, (enum name_kind)i, name))
			return (enum name_kind)i;
	return NAME_GROUP;
}

const char *anonymous_name(struct anonymous_names *names, enum name_kind kind, struct piece name)
{
	const char *known = find_kept(kind < NAME_ANY ? kind : NAME_ANY, name);

	if (known)
		return known;
	if (kind >= NAME_ANY)
		kind = find_kind(names, kind == NAME_ANY_ACCOUNT ? NAME_ACCOUNT : NAME_USER, name);
	return need_print("%s%zu", words[kind], 1 + need_name(names->kind[kind], need_copy(name)));
}

/* ---- texts ------------------------------------------------------------------------- */

/* Returns whether a word has only what numbers have, such as 10, -1 or 0.5. */
static bool looks_like_number(struct piece word)
{
	return strspn(word.at, "-.0123456789") >= word.length;
}

/* Writes the new name of a word; a number that stands for no name stays. */
static void put_word(FILE *out, struct anonymous_names *names, enum name_kind kind,
		     struct piece word)
{
	if (kind >= NAME_ANY && looks_like_number(word))
		fprintf(out, "%.*s", (int)word.length, word.at);
	else if (word.length)
		fputs(anonymous_name(names, kind, word), out);
}

/* Ends a text that is written to memory. */
static char *finish(FILE *out, char **text)
{
	need_done(fclose(out));
	return need_owned(*text, free);
}

char *anonymous_text(struct anonymous_names *names, enum name_kind kind, const char *text,
		     const char *between)
{
	char *made;
	size_t length;
	FILE *out = need_made(open_memstream(&made, &length));

	while (*text) {
		struct piece word = { text, strcspn(text, between) };

		put_word(out, names, kind, word);
		text += word.length;
		for (; *text && strchr(between, *text); text++)
			fputc(*text, out);
	}
	return finish(out, &made);
}

/* ---- fathom.conf ------------------------------------------------------------------- */

#define BLANKS " \t\r"
#define IN_LISTS BLANKS ",[]()@:"	/* between the names of a list */

static const struct name_key {
	const char *key;
	enum name_kind kind;
	const char *between;	/* the characters between names; "": the value is one */
	bool is_path;
	const char *path;	/* that takes the place of a path; NULL: the pair is left out */
} keys[] = {
	{ "Scope", NAME_SCOPE, "", false, NULL },
	{ "Partitions", NAME_PARTITION, BLANKS ",", false, NULL },
	{ "Partition", NAME_PARTITION, "", false, NULL },
	{ "MasterQueue", NAME_PARTITION, "", false, NULL },
	{ "Hosts", NAME_HOST, ",~", false, NULL },
	{ "SlotPool", NAME_POOL, "", false, NULL },
	{ "UserGroup", NAME_GROUP, "", false, NULL },
	{ "Members", NAME_ANY, IN_LISTS, false, NULL },
	{ "UserShares", NAME_ANY, IN_LISTS, false, NULL },
	{ "BankPriority", NAME_ANY_ACCOUNT, IN_LISTS, false, NULL },
	{ "ResourceGroup", NAME_ANY, IN_LISTS, false, NULL },
	{ "PartitionName", NAME_PARTITION, "", false, NULL },	/* of slurm.conf, as what follows */
	{ "NodeName", NAME_HOST, ",", false, NULL },
	{ "Nodes", NAME_HOST, ",", false, NULL },
	{ "Feature", NAME_ANY, "", true, NULL },
	{ "FiguresFile", NAME_ANY, "", true, "figures.json" },
	{ "Adjust", NAME_ANY, "", true, NULL },
	{ "ImportUsage", NAME_ANY, "", true, NULL },
};

/* The state of writing. `at` is the rest of the old text. */
struct conf_renaming {
	const char *at;
	FILE *out;
	struct anonymous_names *names;
	bool is_within;		/* the line that is written has a pair already */
};

/* A key may be written in CamelCase or with underscores. */
static bool is_key(struct piece word, const char *key)
{
	size_t at = 0;

	for (size_t i = 0; i < word.length; i++) {
		if (word.at[i] == '_')
			continue;
		if (!key[at] || strncasecmp(&key[at], &word.at[i], 1))
			return false;
		at++;
	}
	return !key[at];
}

static const struct name_key *find_key(struct piece word)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (is_key(word, keys[i].key))
			return &keys[i];
	return NULL;
}

/* Skips what stands between pairs. */
static void skip_between(struct conf_renaming *conf)
{
	for (;;) {
		conf->at += strspn(conf->at, BLANKS);
		if (*conf->at == '#')
			conf->at += strcspn(conf->at, "\n");
		if (*conf->at == '\\') {
			conf->at++;
			conf->at += strspn(conf->at, BLANKS "\n");
		} else if (*conf->at == '\n') {
			conf->at++;
			if (conf->is_within)
				fputc('\n', conf->out);
			conf->is_within = false;
		} else {
			return;
		}
	}
}

/* Takes the value at conf->at, with or without quotes, and moves on behind it. Returns a copy in
 * one line. */
static struct piece take_value(struct conf_renaming *conf)
{
	bool quoted = *conf->at == '"';
	const char *begin = conf->at + quoted;
	size_t length = conf_value_length(begin, quoted ? "\"\n" : BLANKS "\n#");
	char *value = need_print("%.*s", (int)length, begin);

	conf->at = begin + length + (quoted && begin[length] == '"');
	*conf_value_join(value, value + length) = '\0';
	return piece_of(value);
}

/* Returns a list of hosts name by name, as each stands for itself; a wrong list stays. */
static const char *expand(const char *text)
{
	struct host_list hosts = { NULL };
	char *names;
	size_t length;
	FILE *out;

	if (host_list_add_all(&hosts, text, NULL))
		return text;
	out = need_made(open_memstream(&names, &length));
	for (size_t i = 0; i < hosts.count; i++)
		fprintf(out, "%s%s", i ? "," : "", hosts.name[i]);
	host_list_clear(&hosts);
	return finish(out, &names);
}

/* Returns what a pair gets in place of its value; NULL: the pair is left out. key: NULL if its
 * value has no names. */
static const char *rename_value(struct conf_renaming *conf, const struct name_key *key,
				struct piece value)
{
	const char *given;

	if (key && key->is_path)
		return key->path;
	given = need_copy(value);
	if (!key)
		return given;
	if (key->kind == NAME_HOST)
		given = expand(given);
	return anonymous_text(conf->names, key->kind, given, key->between);
}

static void put_pair(struct conf_renaming *conf, struct piece word, struct piece value)
{
	const char *new = rename_value(conf, find_key(word), value);

	if (!new)
		return;
	fprintf(conf->out, strpbrk(new, BLANKS "#") ? "%s%.*s=\"%s\"" : "%s%.*s=%s",
		conf->is_within ? " " : "", (int)word.length, word.at, new);
	conf->is_within = true;
}

static void rename_pair(struct conf_renaming *conf)
{
	struct piece word = { conf->at, strcspn(conf->at, "=" BLANKS "\n") };

	conf->at += word.length;
	conf->at += strspn(conf->at, "=" BLANKS);
	put_pair(conf, word, take_value(conf));
}

char *anonymous_conf(struct anonymous_names *names, const char *text)
{
	char *made;
	size_t length;
	struct conf_renaming conf = { .at = text, .names = names,
				      .out = need_made(open_memstream(&made, &length)) };

	for (skip_between(&conf); *conf.at; skip_between(&conf))
		rename_pair(&conf);
	if (conf.is_within)
		fputc('\n', conf.out);
	return finish(conf.out, &made);
}
