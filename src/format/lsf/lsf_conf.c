/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of a configuration, and what is found in them. */
#include "format/lsf/lsf_conf.h"

#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct lsf_entry *lsf_conf_add(struct lsf_conf *conf, const struct lsf_section *section,
			       struct site_origin origin)
{
	struct lsf_entry *entry = array_grow(conf->entry, &conf->room, conf->count + 1,
					     sizeof(*entry));

	if (!entry)
		return NULL;
	conf->entry = entry;
	entry += conf->count++;
	*entry = (struct lsf_entry){ .section = section, .origin = origin };
	return entry;
}

int lsf_entry_add(struct lsf_entry *entry, struct piece key, struct piece value, size_t line,
		  struct fathom_error *error)
{
	struct lsf_pair *pair = array_grow(entry->pair, &entry->room, entry->count + 1,
					   sizeof(*pair));

	if (!pair)
		return fathom_error_no_memory(error);
	entry->pair = pair;
	pair += entry->count++;
	*pair = (struct lsf_pair){ .key = strndup(key.at, key.length),
				   .value = strndup(value.at, value.length), .line = line };
	return pair->key && pair->value ? 0 : fathom_error_no_memory(error);
}

void lsf_conf_clear(struct lsf_conf *conf)
{
	for (size_t i = 0; i < conf->count; i++) {
		struct lsf_entry *entry = &conf->entry[i];

		for (size_t j = 0; j < entry->count; j++) {
			free(entry->pair[j].key);
			free(entry->pair[j].value);
		}
		free(entry->pair);
	}
	free(conf->entry);
	*conf = (struct lsf_conf){ NULL };
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
