/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers the names of each kind, and rewrites fathom.conf or slurm.conf pair by pair. The table
 * `keys` tells which keys have names in their values:
 *
 *	Scope=gpu Partitions=a,b	# ada's
 *	Scope=scope1 Partitions=partition1,partition2
 *
 * A key that is in no table is left out, so that a key that is added to fathom.conf shows no name
 * by mistake.
 */
#include "format/snapshot/anonymous_names.h"

#include "conf/conf_lines.h"
#include "conf/conf_parse.h"
#include "conf/host_list.h"
#include "document/text.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct anonymous_names {
	struct numbered_names *kind[NAME_KIND_COUNT];	/* the names of each kind */
};

/* With which new names begin. */
static const char *const words[NAME_KIND_COUNT] = {
	[NAME_ACCOUNT] = "account", [NAME_USER] = "user", [NAME_PARTITION] = "partition",
	[NAME_QOS] = "qos", [NAME_SCOPE] = "scope", [NAME_POOL] = "pool", [NAME_GROUP] = "group",
	[NAME_HOST] = "host", [NAME_CLUSTER] = "cluster",
};

/* Names that stay, as they tell nothing of a cluster: slurmdbd makes them, or they are words of
 * fathom.conf or of PBS. kind: NAME_ANY stands for NAME_ANY_ACCOUNT, too. */
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

/* Returns the name as `kept` has it; NULL: it does not stay. */
static const char *find_kept(enum name_kind kind, struct piece name)
{
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (kept[i].kind == kind &&
		    (kept[i].in_any_case ? piece_is_any_case(name, kept[i].name)
					 : piece_is(name, kept[i].name)))
			return kept[i].name;
	return NULL;
}

/* Returns whether a name of this kind was replaced before. */
static bool is_known(const struct anonymous_names *names, enum name_kind kind, struct piece name)
{
	return name_index_get(&names->kind[kind]->index, name) != NAME_INDEX_NONE;
}

/* Returns a kind under which a name was replaced before: `first`, if it is one; NAME_GROUP, if
 * there is none. */
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

/* Returns whether a word has only characters of numbers such as 10, -1, 0.5 or 1e3. */
static bool looks_like_number(struct piece word)
{
	/* may go on behind the word */
	return strspn(word.at, "-+.eE0123456789") >= word.length;
}

char *anonymous_text(struct anonymous_names *names, struct name_text in, const char *text)
{
	const char **part = NULL;
	size_t parts = 0;
	unsigned count = 0;	/* words so far */

	while (*text) {
		struct piece word = { text, strcspn(text, in.between) }, between;

		count += word.length > 0;
		if (!word.length || (in.number && count % in.number == 0 &&
				     looks_like_number(word)))
			NEED_ADD(part, parts, need_copy(word));
		else
			NEED_ADD(part, parts, anonymous_name(names, in.kind, word));
		text += word.length;
		between = (struct piece){ text, strspn(text, in.between) };
		NEED_ADD(part, parts, need_copy(between));
		text += between.length;
	}
	return need_join(part, parts, "");
}

/* ---- fathom.conf ------------------------------------------------------------------- */

#define BLANKS " \t\r"

/* In the table: the value is one name; or names and numbers, see struct name_text. */
#define ONE(names) .in = { .kind = names, .between = "" }
#define LIST(names, ends, numbers) .in = { .kind = names, .between = ends, .number = numbers }

/* Keys whose values have names or paths. */
static const struct name_key {
	const char *key;
	struct name_text in;
	const char *replacement;	/* of a path; NULL: the value has names */
} keys[] = {
	{ "Scope", ONE(NAME_SCOPE) },
	{ "Partitions", LIST(NAME_PARTITION, BLANKS ",", 0) },
	{ "Partition", ONE(NAME_PARTITION) },
	{ "MasterQueue", ONE(NAME_PARTITION) },
	{ "Hosts", LIST(NAME_HOST, ",~", 0) },
	{ "SlotPool", ONE(NAME_POOL) },
	{ "UserGroup", ONE(NAME_GROUP) },
	{ "Members", LIST(NAME_ANY, IN_NAMES, 0) },
	{ "UserShares", LIST(NAME_ANY, IN_NAMES, 2) },
	{ "BankPriority", LIST(NAME_ANY_ACCOUNT, BLANKS ",:", 2) },
	{ "ResourceGroup", LIST(NAME_ANY, BLANKS, 3) },
	{ "GlobalShare", ONE(NAME_CLUSTER) },
	{ "Map", LIST(NAME_ACCOUNT, ",:", 0) },
	{ "Source", .replacement = "/global.json" },
	{ "FiguresFile", .replacement = "figures.json" },
	{ "HistoryFile", .replacement = "history.db" },
	{ "MetricsFile", .replacement = "metrics.prom" },
	{ "UsageFile", .replacement = "usage.json" },
	{ "PartitionName", ONE(NAME_PARTITION) },	/* of slurm.conf, as what follows */
	{ "NodeName", LIST(NAME_HOST, ",", 0) },
	{ "Nodes", LIST(NAME_HOST, ",", 0) },
	{ "AllowAccounts", LIST(NAME_ACCOUNT, ",", 0) },
	{ "DenyAccounts", LIST(NAME_ACCOUNT, ",", 0) },
	{ "AllowGroups", LIST(NAME_GROUP, ",", 0) },
	{ "AllowQos", LIST(NAME_QOS, ",", 0) },
	{ "DenyQos", LIST(NAME_QOS, ",", 0) },
};

/* Keys whose values are texts without names. Nor have those keys of fathom.conf names that are no
 * texts. */
static const char *const plain[] = {
	"Policy", "ShadowPolicy", "FiguresMode", "MetricsMode", "MetricsUsers", "Formula",
	/* of slurm.conf, as what follows */
	"PriorityType", "PriorityFlags", "PriorityDecayHalfLife", "PriorityCalcPeriod",
	"PriorityUsageResetPeriod", "PriorityMaxAge", "PriorityFavorSmall",
	"FairShareDampeningFactor", "PriorityWeightAge", "PriorityWeightAssoc",
	"PriorityWeightFairshare", "PriorityWeightJobSize", "PriorityWeightPartition",
	"PriorityWeightQOS", "PriorityWeightTRES", "CPUs", "RealMemory", "Gres", "Default",
	"State", "MaxTime", "DefaultTime", "MinNodes", "MaxNodes", "MaxCPUsPerNode",
	"PriorityJobFactor", "PriorityTier", "RootOnly", "ReqResv",
};

/* A configuration while it is rewritten. */
struct conf_renaming {
	const char *at;		/* the rest of the old text */
	FILE *out;		/* the new text */
	struct anonymous_names *names;
	bool is_within;		/* the present line of the new text has a pair already */
};

/* Returns whether a word is the key, in any case, with or without underscores. */
static bool is_key(struct piece word, const char *key)
{
	size_t matched = 0;

	for (size_t i = 0; i < word.length; i++) {
		if (word.at[i] == '_')
			continue;
		if (!key[matched] || strncasecmp(&key[matched], &word.at[i], 1))
			return false;
		matched++;
	}
	return !key[matched];
}

/* Returns the key in the table that a word is; NULL: it is in none. */
static const struct name_key *find_key(struct piece word)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (is_key(word, keys[i].key))
			return &keys[i];
	return NULL;
}

/* Returns whether the values of a key have no names. */
static bool is_plain(struct piece word)
{
	const struct fathom_setting *setting = conf_key_setting(need_copy(word));

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (is_key(word, plain[i]))
			return true;
	return setting && setting->type != FATHOM_TEXT;
}

/* Skips blanks, comments and ends of lines before the next pair, and ends the new line where the
 * old one ends, unless '\' continues it. */
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

/* Returns a copy of the value at conf->at, without quotes, and moves behind it. A value that
 * continues over several lines becomes one line. */
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

/* Returns a list such as "n[1-3]" with each host by its name, because each gets a new name; a list
 * that is wrong is returned as it is. */
static const char *expand(const char *text)
{
	struct host_list hosts = { NULL };

	if (host_list_add_all(&hosts, text, NULL))
		return text;
	text = need_join((const char *const *)hosts.name, hosts.count, ",");
	host_list_clear(&hosts);
	return text;
}

/* Returns the new value of a pair; NULL: the pair is left out. word: the key. */
static const char *rename_value(struct conf_renaming *conf, struct piece word, struct piece value)
{
	const struct name_key *key = find_key(word);
	const char *given = need_copy(value);

	if (!key)
		return is_plain(word) ? given : NULL;
	if (key->replacement)	/* Source=slurmdbd is no path */
		return strcmp(given, CONF_GLOBAL_DATABASE) ? key->replacement : given;
	if (key->in.kind == NAME_HOST)
		given = expand(given);
	return anonymous_text(conf->names, key->in, given);
}

/* Writes a pair with its new value, in quotes if the value needs them. word: the key. */
static void put_pair(struct conf_renaming *conf, struct piece word, struct piece value)
{
	const char *new = rename_value(conf, word, value);

	if (!new)
		return;
	fprintf(conf->out, strpbrk(new, BLANKS "#") ? "%s%.*s=\"%s\"" : "%s%.*s=%s",
		conf->is_within ? " " : "", (int)word.length, word.at, new);
	conf->is_within = true;
}

/* Reads the pair at conf->at, and writes it anew. */
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
	need_done(fclose(conf.out));
	return need_owned(made, free);
}
