/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of a configuration, and what is found in them. */
#include "format/lsf/lsf.h"

#include "memory/need_memory.h"

#include <string.h>
#include <strings.h>

struct lsf_entry *lsf_conf_add(struct lsf_conf *conf, const struct lsf_section *section,
			       struct site_origin origin)
{
	struct lsf_entry *entry = need_append(&conf->entry, &conf->count, sizeof(*entry));

	*entry = (struct lsf_entry){ .section = section, .origin = origin };
	return entry;
}

struct lsf_pair *lsf_entry_add(struct lsf_entry *entry, struct piece key, struct piece value,
			       size_t line)
{
	struct lsf_pair *pair = need_append(&entry->pair, &entry->count, sizeof(*pair));

	*pair = (struct lsf_pair){ need_copy(key), need_copy(value), line };
	return pair;
}

const struct lsf_pair *lsf_entry_pair(const struct lsf_entry *entry, const char *key)
{
	for (size_t i = 0; i < entry->count; i++)
		if (!strcasecmp(entry->pair[i].key, key))
			return *entry->pair[i].value ? &entry->pair[i] : NULL;
	return NULL;
}

const char *lsf_entry_value(const struct lsf_entry *entry, const char *key)
{
	const struct lsf_pair *pair = lsf_entry_pair(entry, key);

	return pair ? pair->value : NULL;
}

const struct lsf_entry *lsf_conf_next(const struct lsf_conf *conf,
				      const struct lsf_section *section, size_t *i)
{
	while (*i < conf->count) {
		const struct lsf_entry *entry = &conf->entry[(*i)++];

		if (entry->section == section)
			return entry;
	}
	return NULL;
}
