/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces host groups in lists of hosts by their members. An exclusion in a group holds for the
 * group alone, but one in a list for all of the list. So a group's exclusions are applied to its
 * hosts if it names them one by one; otherwise they are kept, and refused if the list names the
 * same host besides the group:
 *
 *	old   (n1 n2 ~n2)	HOSTS = old n2		n1 n2
 *	rest  (all ~n3)		HOSTS = rest		all ~n3
 *				HOSTS = rest n3		refused
 *
 * Source: LSF, "lsb.hosts", "HostGroup section", "HostPartition section".
 */
#include "format/lsf/lsf.h"

#include "document/text.h"
#include "memory/need_memory.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define DEEPEST 16		/* groups within each other; ends groups that are in themselves */
#define MOST_WORDS 65536	/* of a list, with those of its groups */

/* A word of the list that is made. */
struct host_word {
	struct piece name;	/* in the configuration: a host, "n[1-4]" or "all" */
	bool is_excluded;
	bool of_group;		/* an excluded word that holds for a group alone */
	bool is_dropped;	/* within settle(): it is to be removed */
};

/* A list while it is made. */
struct host_expansion {
	const struct lsf_conf *conf;
	struct host_word *word;
	size_t count;
	size_t read_count;	/* words read so far, also those that name groups */
	struct host_word *lost;	/* patterns whose hosts no file tells */
	size_t lost_count;
	struct site_origin origin;	/* of the list, for messages */
};

/* ---- patterns ----------------------------------------------------------------------------- */

/* Returns whether a word stands for hosts that only other files, other clusters or LSF's programs
 * know. */
static bool is_pattern(struct piece name)
{
	return memchr(name.at, '*', name.length) || memchr(name.at, '@', name.length) ||
	       piece_is(name, "!") || piece_is(name, "others") || piece_is(name, "allremote") ||
	       piece_is(name, "none");
}

/* Appends the hosts of section Host that match a pattern. If no host does, the pattern is lost. */
static void append_matching(struct host_expansion *expansion, struct host_word word)
{
	char pattern[256];
	const struct lsf_entry *entry = NULL;
	size_t before = expansion->count;

	snprintf(pattern, sizeof(pattern), "%.*s", (int)word.name.length, word.name.at);
	while ((entry = lsf_conf_next(expansion->conf, &lsf_host, entry))) {
		const char *name = lsf_entry_value(entry, "HOST_NAME");

		/* the entry "default" is for all hosts without one of their own */
		if (strcmp(name, "default") && !fnmatch(pattern, name, FNM_NOESCAPE)) {
			word.name = piece_of(name);
			NEED_ADD(expansion->word, expansion->count, word);
		}
	}
	if (expansion->count == before)
		NEED_ADD(expansion->lost, expansion->lost_count, word);
}

/* ---- exclusions --------------------------------------------------------------------------- */

/* Fails because an exclusion of a group would hold for the whole list. */
static _Noreturn void refuse(const struct host_expansion *expansion, struct piece name)
{
	wrong_at(AT_ORIGIN(expansion->origin), "~%.*s in a host group would exclude hosts of "
		 "others; name the hosts in HOSTS", PIECE(name));
}

/* Returns whether the words from index `from` on include hosts that they do not name one by one: by
 * "all" or "n[1-4]". */
static bool is_open(const struct host_expansion *expansion, size_t from)
{
	for (size_t i = from; i < expansion->count; i++)
		if (!expansion->word[i].is_excluded &&
		    (piece_is(expansion->word[i].name, "all") ||
		     memchr(expansion->word[i].name.at, '[', expansion->word[i].name.length)))
			return true;
	return false;
}

/* Applies the exclusions of a group, whose words begin at `from`. If the group does not name its
 * hosts one by one, they stay in the list as exclusions of the group. */
static void settle(struct host_expansion *expansion, size_t from)
{
	bool stays = is_open(expansion, from);
	struct host_word *word = expansion->word;
	size_t kept = from;

	for (size_t i = from; i < expansion->count; i++) {
		if (!word[i].is_excluded || word[i].of_group)
			continue;
		word[i].of_group = true;
		word[i].is_dropped = !stays;
		for (size_t j = from; j < expansion->count; j++)
			word[j].is_dropped |= !word[j].is_excluded &&
					      piece_same(word[j].name, word[i].name);
	}
	for (size_t i = from; i < expansion->count; i++)
		if (!word[i].is_dropped)
			word[kept++] = word[i];
	expansion->count = kept;
}

/* Excludes the words of a group that stands behind '~'; they begin at `from`. Fails, see
 * wrong_at(), if the group itself has exclusions, as nothing includes hosts again. */
static void invert(struct host_expansion *expansion, size_t from)
{
	for (size_t i = from; i < expansion->count; i++) {
		if (expansion->word[i].is_excluded)
			refuse(expansion, expansion->word[i].name);
		expansion->word[i].is_excluded = true;
	}
}

/* ---- lists -------------------------------------------------------------------------------- */

static void expand(struct host_expansion *expansion, const char *hosts, unsigned depth);

/* Appends the hosts of a group. is_excluded: the group stands behind '~'. */
static void expand_group(struct host_expansion *expansion, const struct lsf_entry *group,
			 bool is_excluded, unsigned depth)
{
	const char *members = lsf_entry_value(group, "GROUP_MEMBER");
	size_t from = expansion->count;

	if (members)
		expand(expansion, members, depth + 1);
	settle(expansion, from);
	if (is_excluded)
		invert(expansion, from);
}

/* Appends the hosts that a word of a list stands for. */
static void expand_word(struct host_expansion *expansion, const struct lsf_word *word,
			unsigned depth)
{
	struct host_word host = { .name = word->name, .is_excluded = word->is_excluded };
	const struct lsf_entry *group = lsf_conf_find(expansion->conf, &lsf_host_group, host.name);

	if (++expansion->read_count > MOST_WORDS)
		wrong_at(AT_ORIGIN(expansion->origin), "more than %d hosts", MOST_WORDS);
	if (group)
		expand_group(expansion, group, word->is_excluded, depth);
	else if (is_pattern(host.name))
		append_matching(expansion, host);
	else
		NEED_ADD(expansion->word, expansion->count, host);
}

/* Appends the hosts of a list. depth: number of groups around it. */
static void expand(struct host_expansion *expansion, const char *hosts, unsigned depth)
{
	struct lsf_word word;

	if (depth > DEEPEST)
		wrong_at(AT_ORIGIN(expansion->origin), "host groups more than %d deep within each "
			 "other", DEEPEST);
	while (lsf_next_word(&hosts, &word))
		expand_word(expansion, &word, depth);
}

/* Fails, see wrong_at(), if an exclusion that holds for a group alone would exclude hosts besides
 * it: the list includes the name again, or "all" twice. */
static void check_exclusions(const struct host_expansion *expansion)
{
	const struct host_word *word = expansion->word;
	size_t all = 0;

	for (size_t i = 0; i < expansion->count; i++)
		all += !word[i].is_excluded && piece_is(word[i].name, "all");
	for (size_t i = 0; i < expansion->count; i++)
		for (size_t j = 0; word[i].is_excluded && word[i].of_group &&
				   j < expansion->count; j++)
			if (all > 1 || (!word[j].is_excluded &&
					piece_same(word[j].name, word[i].name)))
				refuse(expansion, word[i].name);
}

/* Returns the words with blanks between them. */
static char *join(const struct host_word *word, size_t count)
{
	const char **text = need_zeros(count, sizeof(*text));

	for (size_t i = 0; i < count; i++)
		text[i] = need_print("%s%.*s", word[i].is_excluded ? "~" : "",
				     (int)word[i].name.length, word[i].name.at);
	return need_join(text, count, " ");
}

char *lsf_expand_hosts(const struct lsf_conf *conf, const char *hosts, struct site_origin origin,
		       const char **lost)
{
	struct host_expansion expansion = { .conf = conf, .origin = origin };

	expand(&expansion, hosts, 0);
	check_exclusions(&expansion);
	*lost = join(expansion.lost, expansion.lost_count);
	return join(expansion.word, expansion.count);
}
