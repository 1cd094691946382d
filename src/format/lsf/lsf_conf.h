/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration of a cluster of LSF: the sections of lsb.users, lsb.queues, lsb.hosts and
 * lsb.params, in any number of files. A section with columns has an entry for each row, any other
 * section is one entry:
 *
 *	Begin Queue			Begin UserGroup
 *	QUEUE_NAME = night		GROUP_NAME  GROUP_MEMBER  USER_SHARES
 *	PRIORITY   = 40			physics     (ada bob)     ([ada, 2] [others, 1])
 *	End Queue			End UserGroup
 */
#pragma once

#include "core/piece.h"
#include "format/format.h"
#include "format/site/site_settings.h"

/* A key with its value, as lsf_keys.h describes it. */
struct lsf_pair {
	char *key;		/* as the file spells it */
	char *value;		/* without what encloses it; "": the default of LSF */
	size_t line;
};

struct lsf_entry {
	const struct lsf_section *section;
	struct site_origin origin;	/* of the section, or of the row */
	struct lsf_pair *pair;
	size_t count;
};

/* Start with all members 0. */
struct lsf_conf {
	struct lsf_entry *entry;
	size_t count;
};

/* Reads a file and adds its entries. input->remark says what is left out. The name of the file must
 * live as long as the entries. */
void lsf_conf_read(struct lsf_conf *conf, struct document *input);

/* Adds an empty entry. */
struct lsf_entry *lsf_conf_add(struct lsf_conf *conf, const struct lsf_section *section,
			       struct site_origin origin);
/* Adds a pair. */
struct lsf_pair *lsf_entry_add(struct lsf_entry *entry, struct piece key, struct piece value,
			       size_t line);
/* Returns the pair with this key, in capitals; NULL: the entry has none, or an empty value. */
const struct lsf_pair *lsf_entry_pair(const struct lsf_entry *entry, const char *key);
/* Returns its value, or NULL. */
const char *lsf_entry_value(const struct lsf_entry *entry, const char *key);
/* Returns the first entry of a section from index *i on, and moves *i behind it; NULL: there is no
 * further one. Start with *i 0. */
const struct lsf_entry *lsf_conf_next(const struct lsf_conf *conf,
				      const struct lsf_section *section, size_t *i);
