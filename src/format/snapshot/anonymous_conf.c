/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes fathom.conf pair by pair. A key of the table has names in its value:
 *
 *	Scope=gpu Partitions=a,b	# ada's
 *	Scope=scope1 Partitions=partition1,partition2
 */
#include "format/snapshot/anonymous_conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
	{ "Hosts", NAME_HOST, "", false, NULL },
	{ "SlotPool", NAME_POOL, "", false, NULL },
	{ "UserGroup", NAME_GROUP, "", false, NULL },
	{ "Members", NAME_ANY, IN_LISTS, false, NULL },
	{ "UserShares", NAME_ANY, IN_LISTS, false, NULL },
	{ "BankPriority", NAME_ANY_ACCOUNT, IN_LISTS, false, NULL },
	{ "ResourceGroup", NAME_ANY, IN_LISTS, false, NULL },
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
	bool has_failed;
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

static struct piece take_value(struct conf_renaming *conf)
{
	bool quoted = *conf->at == '"';
	struct piece value = { conf->at + quoted, 0 };

	value.length = strcspn(value.at, quoted ? "\"\n" : BLANKS "\n#\\");
	conf->at = value.at + value.length + (quoted && value.at[value.length] == '"');
	return value;
}

/* Returns the new value, which the caller frees; NULL: ENOMEM. */
static char *new_value(struct conf_renaming *conf, const struct name_key *key, struct piece value)
{
	char *old, *new;

	if (key && key->is_path)
		return strdup(key->path);
	old = strndup(value.at, value.length);
	if (!old || !key)
		return old;
	new = anonymous_text(conf->names, key->kind, old, key->between);
	free(old);
	return new;
}

static void put_pair(struct conf_renaming *conf, struct piece word, struct piece value)
{
	const struct name_key *key = find_key(word);
	char *new;

	if (key && key->is_path && !key->path)
		return;
	new = new_value(conf, key, value);
	conf->has_failed |= !new;
	if (new)
		fprintf(conf->out, strpbrk(new, BLANKS "#") ? "%s%.*s=\"%s\"" : "%s%.*s=%s",
			conf->is_within ? " " : "", (int)word.length, word.at, new);
	conf->is_within = true;
	free(new);
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
	char *made = NULL;
	size_t length;
	struct conf_renaming conf = { .at = text, .names = names,
				      .out = open_memstream(&made, &length) };

	if (!conf.out)
		return NULL;
	for (skip_between(&conf); *conf.at && !conf.has_failed; skip_between(&conf))
		rename_pair(&conf);
	if (conf.is_within)
		fputc('\n', conf.out);
	conf.has_failed |= fclose(conf.out) != 0;
	if (!conf.has_failed)
		return made;
	free(made);
	return NULL;
}
