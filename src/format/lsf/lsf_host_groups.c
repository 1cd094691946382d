/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source: LSF, "lsb.hosts", "HostGroup section". */
#include "format/lsf/lsf_host_groups.h"

#include "core/array.h"
#include "core/error.h"
#include "format/lsf/lsf_groups.h"
#include "format/lsf/lsf_keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 16
#define MOST_WORDS 65536

struct expansion {
	const struct lsf_conf *conf;
	char *text;
	size_t length, room;
	size_t word_count;	/* read so far */
	struct fathom_error *error;
};

static int append(struct expansion *expansion, const char *at, size_t length)
{
	char *text = array_grow(expansion->text, &expansion->room,
				expansion->length + length + 1, 1);

	if (!text)
		return fathom_error_no_memory(expansion->error);
	expansion->text = text;
	memcpy(text + expansion->length, at, length);
	expansion->length += length;
	text[expansion->length] = '\0';
	return 0;
}

static const struct lsf_entry *find_group(const struct lsf_conf *conf, const struct lsf_word *word)
{
	const struct lsf_entry *entry;
	size_t i = 0;

	while ((entry = lsf_conf_next(conf, &lsf_host_group, &i))) {
		const char *name = lsf_entry_value(entry, "GROUP_NAME");

		if (strlen(name) == word->length && !memcmp(name, word->at, word->length))
			return entry;
	}
	return NULL;
}

/* Appends the hosts of a list. excluded: it is that of a group behind '~'. */
static int expand(struct expansion *expansion, const char *hosts, bool excluded, unsigned depth)
{
	struct lsf_word word;

	if (depth > DEEPEST)
		return fathom_error_set(expansion->error, EINVAL, "host groups more than %d deep "
					"within each other", DEEPEST);
	while (lsf_next_word(&hosts, &word)) {
		const struct lsf_entry *group = find_group(expansion->conf, &word);
		const char *members = group ? lsf_entry_value(group, "GROUP_MEMBER") : NULL;

		if (++expansion->word_count > MOST_WORDS)
			return fathom_error_set(expansion->error, EINVAL, "more than %d hosts",
						MOST_WORDS);
		if (word.is_excluded && depth)
			return fathom_error_set(expansion->error, EINVAL, "~%.*s in a host group; "
						"must stand in HOSTS", (int)word.length, word.at);
		if (group) {
			if (members && expand(expansion, members, excluded || word.is_excluded,
					      depth + 1))
				return -1;
			continue;
		}
		if (append(expansion, " ", expansion->length > 0) ||
		    append(expansion, "~", excluded || word.is_excluded) ||
		    append(expansion, word.at, word.length))
			return -1;
	}
	return 0;
}

char *lsf_expand_hosts(const struct lsf_conf *conf, const char *hosts, struct fathom_error *error)
{
	struct expansion expansion = { .conf = conf, .error = error };

	if (!expand(&expansion, hosts, false, 0) && !append(&expansion, "", 0))
		return expansion.text;
	free(expansion.text);
	return NULL;
}
